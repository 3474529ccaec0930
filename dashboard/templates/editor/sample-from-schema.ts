import type { NestedField } from '@trifold/client';
import { isObject } from './json-text.ts';
import { sampleFromPattern } from './sample-from-pattern.ts';

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  email: 'name@example.com',
  url: 'https://example.com',
};
const ITEMS = 2;
/** Bounds of what a schema can ask for. A list in a list in a list has one item. */
const MOST_ITEMS = 20;
const MOST_LISTS = 2;
const DEEPEST = 20;
const MOST_CHARACTERS = 10_000;

/** Returns data that has every field of a schema. It can violate a pattern with groups. */
export function sampleFromSchema(schema: unknown): Record<string, unknown> {
  const fields = isObject(schema) && Array.isArray(schema['fields']) ? schema['fields'] : [];
  const named = fields.filter(isObject).filter(({ name }) => typeof name === 'string');
  return Object.fromEntries(
    named.map((field) => [field['name'], sampleOf(field['name'] as string, field, { depth: 0, lists: 0 })]),
  );
}

/** Where a value is: in how many others, and in how many lists. */
interface Nesting {
  readonly depth: number;
  readonly lists: number;
}

function sampleOf(name: string, field: NestedField, nesting: Nesting): unknown {
  if (nesting.depth > DEEPEST) return null;
  if (field.default !== undefined) return field.default;
  switch (field.type) {
    case 'number':
      return numberWithin(field);
    case 'boolean':
      return true;
    case 'array':
      return listOf(name, field, nesting);
    case 'object':
      return membersOf(field, nesting);
    case 'string':
    case undefined:
      return textWithin(name, field);
  }
}

function numberWithin({ min = 0, max = Infinity, integer = false }: NestedField): number {
  const wanted = Math.min(Math.max(integer ? 12 : 12.5, min), max);
  return integer ? Math.min(Math.ceil(wanted), Math.floor(max)) : wanted;
}

function listOf(name: string, field: NestedField, { depth, lists }: Nesting): unknown[] {
  const { items = {}, minItems = 0, maxItems = Infinity } = field;
  const most = lists < MOST_LISTS ? MOST_ITEMS : 1;
  const length = Math.min(Math.max(ITEMS, minItems), maxItems, most);
  const inside = { depth: depth + 1, lists: lists + 1 };
  return Array.from({ length }, (_, index) => sampleOf(`${name} ${index + 1}`, items, inside));
}

function membersOf({ properties = {} }: NestedField, { depth, lists }: Nesting): Record<string, unknown> {
  const members = Object.entries(properties);
  return Object.fromEntries(
    members.map(([name, member]) => [name, sampleOf(name, member, { depth: depth + 1, lists })]),
  );
}

/** Writes the name of the field as words: `customer_name` is "Customer name". */
function textWithin(name: string, { format, pattern, minLength = 0, maxLength }: NestedField): string {
  if (format !== undefined) return FORMATS[format] ?? '';
  const matching = pattern === undefined ? undefined : sampleFromPattern(pattern);
  if (matching !== undefined) return matching;
  const words = name.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const written = words.charAt(0).toUpperCase() + words.slice(1);
  return written.padEnd(Math.min(minLength, MOST_CHARACTERS), 'x').slice(0, maxLength);
}
