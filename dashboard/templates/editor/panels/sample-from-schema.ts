import type { NestedField } from '@trifold/client';
import { isObject } from '../../json-text.ts';

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  email: 'name@example.com',
  url: 'https://example.com',
};
const ITEMS = 2;
/** Limits on what a schema can request. A list within two other lists has one item. */
const MAX_ITEMS = 20;
const MAX_LISTS = 2;
const DEEPEST = 20;
const MAX_CHARACTERS = 10_000;

/** Returns data with every field of a schema. It may violate a pattern with groups. */
export function sampleFromSchema(schema: unknown): Record<string, unknown> {
  const fields = isObject(schema) && Array.isArray(schema['fields']) ? schema['fields'] : [];
  const named = fields.filter(isObject).filter(({ name }) => typeof name === 'string');
  return Object.fromEntries(
    named.map((field) => [field['name'], sampleOf(field['name'] as string, field, { depth: 0, lists: 0 })]),
  );
}

/** The nesting of a value: the number of values and lists that enclose it. */
interface Nesting {
  readonly depth: number;
  readonly lists: number;
}

function sampleOf(name: string, field: NestedField, nesting: Nesting): unknown {
  if (nesting.depth > DEEPEST) return null;
  if (field.default !== undefined) return field.default;
  switch (field.type) {
    case 'number':
      return numberWithin(name, field);
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

/** Numbers for fields with these names. Other fields get 12.5, or 12 for an integer. */
const NUMBERS: readonly (readonly [name: RegExp, number: number])[] = [
  [/rate$/i, 0.19],
  [/percent/i, 19],
  [/year/i, 2026],
  [/quantity|count|hours|days/i, 2],
];

function numberWithin(name: string, { min = 0, max = Infinity, integer = false }: NestedField): number {
  const [, known] = NUMBERS.find(([pattern]) => pattern.test(name)) ?? [];
  const wanted = Math.min(Math.max(known ?? (integer ? 12 : 12.5), min), max);
  return integer ? Math.min(Math.ceil(wanted), Math.floor(max)) : wanted;
}

function listOf(name: string, field: NestedField, { depth, lists }: Nesting): unknown[] {
  const { items = {}, minItems = 0, maxItems = Infinity } = field;
  const most = lists < MAX_LISTS ? MAX_ITEMS : 1;
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

/** Turns a field name into words: `customer_name` becomes "Customer name". */
function textWithin(name: string, { format, pattern, minLength = 0, maxLength }: NestedField): string {
  if (format !== undefined) return FORMATS[format] ?? '';
  const matching = pattern === undefined ? undefined : sampleFromPattern(pattern);
  if (matching !== undefined) return matching;
  const words = name.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const written = words.charAt(0).toUpperCase() + words.slice(1);
  return written.padEnd(Math.min(minLength, MAX_CHARACTERS), 'x').slice(0, maxLength);
}

/** A character or a class, and its repetition count. */
const PIECE =
  /(?:\\(?<escaped>.)|\[(?<members>[^\]\\^]+)\]|(?<plain>[^\\[\](){}|*+?^$]))(?<repeat>\{\d+(?:,\d*)?\}|[+*?])?/gy;
const CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ' };
const MAX_REPEATS = 100;

/**
 * Returns a string that matches a regular expression of characters, classes and repetitions, such as
 * `^[A-Z]{2}-\d{4}$`; undefined for one with groups or alternatives.
 */
function sampleFromPattern(pattern: string): string | undefined {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '');
  const pieces = [...body.matchAll(PIECE)];
  if (pieces.map(([piece]) => piece).join('') !== body) return undefined;
  const sample = pieces
    .map(({ groups = {} }) => characterOf(groups).repeat(timesOf(groups['repeat'])))
    .join('');
  return new RegExp(pattern).test(sample) ? sample : undefined;
}

function characterOf({ escaped, members, plain }: Readonly<Record<string, string | undefined>>): string {
  if (escaped !== undefined) return CLASSES[escaped] ?? escaped;
  if (members !== undefined) return members.charAt(0);
  return plain === '.' ? 'x' : (plain ?? '');
}

/** The minimum number of repetitions, but one where zero is allowed. */
function timesOf(repeat: string | undefined): number {
  const [, least = '1'] = /^\{(\d+)/.exec(repeat ?? '') ?? [];
  return Math.min(Math.max(Number(least), 1), MAX_REPEATS);
}
