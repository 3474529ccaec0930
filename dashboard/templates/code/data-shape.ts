import type { NestedField } from '@trifold/client';
import { isLongInteger, isObject } from '../json-text.ts';
import type { DataPath } from '../problems/data-fixes.ts';

/** Known type and content of a value in the data: from the schema, the sample data, or both. */
export interface DataShape {
  /** For display: a type, such as `string`. */
  readonly type?: string;
  /** Description in the schema. */
  readonly description?: string;
  readonly members: ReadonlyMap<string, DataShape>;
  /** Type of the items in a list. */
  readonly item?: DataShape;
}

export const UNKNOWN_SHAPE: DataShape = { members: new Map() };

/** Number of list items that are examined. */
const MAX_ITEMS = 20;

/** Returns the shape of sample data. */
export function shapeOfData(value: unknown): DataShape {
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shapeOfData);
    return { type: 'array', members: new Map(), item: items.reduce(mergedShape, UNKNOWN_SHAPE) };
  }
  if (isLongInteger(value)) return { type: 'number', members: new Map() };
  if (!isObject(value)) return { type: value === null ? 'null' : typeof value, members: new Map() };
  const members = Object.entries(value).map(([name, member]) => [name, shapeOfData(member)] as const);
  return { type: 'object', members: new Map(members) };
}

/** Returns the shape that a schema describes. Anything that is not a schema is unknown. */
export function shapeOfSchema(schema: unknown): DataShape {
  const fields = isObject(schema) && Array.isArray(schema['fields']) ? schema['fields'] : [];
  const named = fields.filter(isObject).filter(({ name }) => typeof name === 'string');
  return { members: new Map(named.map((field) => [field['name'] as string, shapeOfField(field)])) };
}

function shapeOfField(field: Record<string, unknown>): DataShape {
  const { type, description, properties, items } = field;
  const members = isObject(properties) ? Object.entries(properties) : [];
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof description === 'string' && { description }),
    members: new Map(
      members.map(([name, member]) => [name, isObject(member) ? shapeOfField(member) : UNKNOWN_SHAPE]),
    ),
    ...(isObject(items) && { item: shapeOfField(items) }),
  };
}

/** Merges two shapes; the first one wins. */
export function mergedShape(one: DataShape, other: DataShape): DataShape {
  const names = new Set([...one.members.keys(), ...other.members.keys()]);
  const members = Array.from(names, (name) => {
    const [first, second] = [one.members.get(name), other.members.get(name)];
    return [name, mergedShape(first ?? UNKNOWN_SHAPE, second ?? UNKNOWN_SHAPE)] as const;
  });
  const item = one.item && other.item ? mergedShape(one.item, other.item) : (one.item ?? other.item);
  return { ...other, ...one, members: new Map(members), ...(item && { item }) };
}

/** A value in the data, and what the schema says about it. */
interface DataField {
  readonly path: DataPath;
  readonly field: NestedField;
}

const FIELDS: Readonly<Record<string, NestedField>> = {
  array: { type: 'array' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  number: { type: 'number' },
  object: { type: 'object' },
  string: { type: 'string' },
};

/** Returns the leaf fields of a shape. Types that JSON Schema does not have are omitted. */
export function fieldsOfShape(shape: DataShape, path: DataPath = []): DataField[] {
  const inner = shape.item
    ? fieldsOfShape(shape.item, [...path, '*'])
    : Array.from(shape.members).flatMap(([name, member]) => fieldsOfShape(member, [...path, name]));
  if (inner.length > 0 || path.length === 0) return inner;
  const field = fieldOf(shape);
  return field ? [{ path, field }] : [];
}

/** Returns the schema's description of the value at a path. @default text */
export function fieldAt(shape: DataShape, path: DataPath): NestedField {
  let inner: DataShape | undefined = shape;
  for (const name of path) inner = name === '*' ? inner?.item : inner?.members.get(name);
  return (inner && fieldOf(inner)) ?? { type: 'string' };
}

function fieldOf({ item, members, type = '' }: DataShape): NestedField | undefined {
  if (item) return { type: 'array' };
  return members.size > 0 ? { type: 'object' } : FIELDS[type];
}
