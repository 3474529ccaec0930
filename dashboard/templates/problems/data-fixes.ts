import type { NestedField } from '@trifold/client';
import { isObject } from '../json-text.ts';

/** Property path to a value in the data; `*` stands for each item of a list. */
export type DataPath = readonly string[];

/** Returns the data with a value added where it is missing, in every list item; undefined if nothing is missing. */
export function withMissingValue(data: unknown, path: DataPath, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return data === undefined ? value : undefined;
  if (name === '*') return withItems(data, rest, value);
  if (data !== undefined && !isObject(data)) return undefined;
  const inner = withMissingValue(data?.[name], rest, value);
  return inner === undefined ? undefined : { ...data, [name]: inner };
}

function withItems(data: unknown, rest: DataPath, value: unknown): unknown {
  if (data !== undefined && !Array.isArray(data)) return undefined;
  const items: readonly unknown[] = data ?? [undefined];
  const changed = items.map((item) => withMissingValue(item, rest, value));
  if (changed.every((item) => item === undefined)) return undefined;
  return items.map((item, index) => changed[index] ?? item);
}

/** Returns the data with the additional values of a sample, in every list item. */
export function withSample(data: unknown, sample: unknown): unknown {
  if (data === undefined) return sample;
  if (Array.isArray(data) && Array.isArray(sample)) {
    return sample.length === 0 ? data : data.map((item: unknown) => withSample(item, sample[0]));
  }
  if (!isObject(data) || !isObject(sample)) return data;
  const missing = Object.entries(sample).map(([name, value]) => [name, withSample(data[name], value)]);
  return { ...data, ...Object.fromEntries(missing) };
}

/** Returns a schema with a field added; undefined if the schema has the field or does not allow it there. */
export function withMissingField(schema: unknown, [name, ...rest]: DataPath, added: NestedField): unknown {
  if (!isObject(schema) || !Array.isArray(schema['fields']) || name === undefined) return undefined;
  const fields = schema['fields'] as unknown[];
  const index = fields.findIndex((field) => isObject(field) && field['name'] === name);
  const field = withMember(index < 0 ? undefined : fields[index], rest, added);
  if (field === undefined) return undefined;
  if (index < 0) return { ...schema, fields: [...fields, { name, ...field }] };
  return { ...schema, fields: fields.with(index, field) };
}

type Field = Readonly<Record<string, unknown>>;

function withMember(field: unknown, path: DataPath, added: NestedField): Field | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return field === undefined ? { ...added } : undefined;
  const kind = name === '*' ? 'array' : 'object';
  const { type: given = kind, ...own } = objectIn(field);
  if (given !== kind) return undefined;
  const container = { type: kind, ...own } as const;
  if (name === '*') {
    const items = withMember(own['items'], rest, added);
    return items && { ...container, items };
  }
  const properties = objectIn(own['properties']);
  const member = withMember(properties[name], rest, added);
  return member && { ...container, properties: { ...properties, [name]: member } };
}

function objectIn(value: unknown): Field {
  return isObject(value) ? value : {};
}
