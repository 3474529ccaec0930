import type { FieldDefinition } from '@trifold/crds';
import { RE2JS } from 're2js';
import { expect, it, vi } from 'vitest';
import { DataSchema, DataSchemaError } from './data-schema.ts';

const check = (fields: FieldDefinition[], data: Record<string, unknown>) =>
  new DataSchema({ fields }).apply(data);

/** A field named `v`. */
type Field = Omit<FieldDefinition, 'name'>;

it('accepts any data if the template has no schema', () => {
  expect(new DataSchema(undefined).apply({ anything: [1, 'two'] })).toEqual([]);
});

it('names a missing field in the path', () => {
  expect(check([{ name: 'a/b~c', type: 'string', required: true }], {})).toEqual([
    { path: '/data/a~1b~0c', message: 'is required' },
  ]);
});

it('matches each field against its own pattern', () => {
  const fields: FieldDefinition[] = [
    { name: 'a', type: 'string', pattern: '^A+$' },
    { name: 'b', type: 'string', pattern: '^B+$' },
  ];
  expect(check(fields, { a: 'AA', b: 'BB' })).toEqual([]);
  expect(check(fields, { a: 'AA', b: 'AA' })).toEqual([
    { path: '/data/b', message: 'must match the pattern ^B+$' },
  ]);
});

it('rejects a string that takes too long to match and still checks later data', () => {
  const pattern = '((a|b){0,30}){0,30}[cd]$';
  const items = { type: 'string', pattern };
  const schema = new DataSchema({ fields: [{ name: 'v', type: 'array', items }] });
  const message = expect.stringContaining('too long for the patterns') as string;
  const tooMuch = [{ path: '/data', message }];
  expect(schema.apply({ v: ['a'.repeat(2_000_000)] })).toEqual(tooMuch);
  expect(schema.apply({ v: Array.from({ length: 20_000 }, () => 'c') })).toEqual(tooMuch);
  expect(schema.apply({ v: ['abc'] })).toEqual([]);
  expect(schema.apply({ v: ['abba'] })).toEqual([
    { path: '/data/v/0', message: `must match the pattern ${pattern}` },
  ]);
});

it('can be created twice from the same JSON, each with a separate step count', () => {
  const fields: FieldDefinition[] = [{ name: 'v', type: 'string', pattern: '((a|b){0,30}){0,30}[cd]$' }];
  const [first, second] = [new DataSchema({ fields }), new DataSchema({ fields })];
  expect(first.apply({ v: 'a'.repeat(2_000_000) })).toMatchObject([{ path: '/data' }]);
  expect(second.apply({ v: 'abc' })).toEqual([]);
  expect(first.apply({ v: 'abba' })).toMatchObject([{ path: '/data/v' }]);
});

it('is compiled again when later schemas could take 32 MiB of memory', () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  const compilations = (pattern: string) => {
    void new DataSchema({ fields: [{ name: 'v', type: 'string', pattern }] });
    return compile.mock.calls.filter(([compiled]) => compiled === pattern).length;
  };
  expect([compilations('^kept$'), compilations('^kept$')]).toEqual([1, 1]);
  for (const letter of ['a', 'b']) compilations(`(${letter.repeat(90)}){999}`);
  expect(compilations('^kept$')).toBe(2);
  compile.mockRestore();
});

it('matches two megabytes of text with a realistic pattern', () => {
  const fields: FieldDefinition[] = [{ name: 'v', type: 'string', pattern: '^data:image/' }];
  expect(check(fields, { v: `data:image/png;base64,${'A'.repeat(2_000_000)}` })).toEqual([]);
});

it.each([
  'https://e.org',
  'HTTP://E.org:8080/a?b=c#d',
  'https://例え.jp/パス',
  'http://localhost',
  'http://[::1]/',
  'https://u:p@e.org/',
])('accepts %s as a url', (v) => {
  expect(check([{ name: 'v', type: 'string', format: 'url' }], { v })).toEqual([]);
});

it.each([
  'https://',
  'https://?',
  'http://:80',
  'https://a:99999',
  'https:///a',
  'https:e.org',
  'javascript:alert(1)',
  'ftp://e.org',
  '//e.org',
  ' https://e.org',
  'https://e.org/a b',
  'java\tscript://e.org',
  'https://e.org/\n',
  'https://a b.org',
  '',
])('rejects %j as a url', (v) => {
  expect(check([{ name: 'v', type: 'string', format: 'url' }], { v })).toHaveLength(1);
});

it('fills in defaults in existing objects without creating parents', () => {
  const q = { type: 'number', default: 1 };
  const p = { type: 'object', properties: { q } };
  const fields = (more: object): FieldDefinition[] => [
    { name: 'o', type: 'object', properties: { p: { ...p, ...more } } },
  ];
  const [none, some, own]: Record<string, unknown>[] = [{}, { o: { p: {} } }, { o: {} }];
  expect(check(fields({}), none ?? {})).toEqual([]);
  expect(check(fields({}), some ?? {})).toEqual([]);
  expect(check(fields({ default: {} }), own ?? {})).toEqual([]);
  expect([none, some, own]).toEqual([{}, { o: { p: { q: 1 } } }, { o: { p: { q: 1 } } }]);
});

it('counts characters, not UTF-16 code units', () => {
  expect(check([{ name: 'v', type: 'string', maxLength: 2 }], { v: '👩🏽'.slice(0, 4) })).toEqual([]);
});

it('checks nested items and properties', () => {
  const items = { type: 'object', properties: { qty: { type: 'number', required: true } } };
  const fields: FieldDefinition[] = [{ name: 'lines', type: 'array', items }];
  expect(check(fields, { lines: [{ qty: 1 }, { qty: 'x' }, {}] })).toEqual([
    { path: '/data/lines/1/qty', message: 'must be a number' },
    { path: '/data/lines/2/qty', message: 'is required' },
  ]);
});

it('fills in defaults at every depth before checking required fields', () => {
  const data = { lines: [{}] };
  const items = { type: 'object', properties: { qty: { type: 'number', default: 1 } } };
  const fields: FieldDefinition[] = [
    { name: 'currency', type: 'string', required: true, default: 'EUR' },
    { name: 'lines', type: 'array', items },
  ];
  expect(check(fields, data)).toEqual([]);
  expect(data).toEqual({ currency: 'EUR', lines: [{ qty: 1 }] });
});

it('reports at most a hundred violations', () => {
  const fields: FieldDefinition[] = [{ name: 'v', type: 'array', items: { type: 'number' } }];
  expect(check(fields, { v: Array.from({ length: 500 }, () => 'x') })).toHaveLength(100);
});

it('stops checking after the maximum number of violations to limit memory', () => {
  const numbers: FieldDefinition['items'] = { type: 'array', items: { type: 'number' } };
  const fields: FieldDefinition[] = [{ name: 'v', type: 'array', items: numbers }];
  let looks = 0;
  const counted = (items: unknown[]) =>
    new Proxy(items, {
      get(target, member, receiver) {
        if (typeof member === 'string' && /^\d+$/.test(member)) looks += 1;
        return Reflect.get(target, member, receiver) as unknown;
      },
    });
  const rows = Array.from({ length: 1000 }, () => counted(Array.from({ length: 10 }, () => 'x')));
  expect(check(fields, { v: rows })).toHaveLength(100);
  expect(looks).toBeLessThan(200);
  const late = counted(Array.from({ length: 1000 }, (_, index) => (index < 900 ? 1 : 'x')));
  expect(check(fields, { v: [late] })).toHaveLength(100);
});

it('ignores properties of Object.prototype', () => {
  expect(check([{ name: 'toString', type: 'string', required: true }], {})).toEqual([
    { path: '/data/toString', message: 'is required' },
  ]);
});

it.each<[string, Field, string]>([
  ['an unknown nested type', { type: 'array', items: { type: 'text' } }, '/items/type'],
  ['an invalid nested schema', { type: 'object', properties: { w: 1 } }, '/properties/w'],
])('cannot be created from a field with %s', (_what, field, path) => {
  const attempt = () => new DataSchema({ fields: [{ name: 'v', ...field }] });
  expect(attempt).toThrow(DataSchemaError);
  expect(attempt).toThrow(`/schema/fields/0${path}`);
});

it.each<[string, Field, string]>([
  ['min', { type: 'string', min: 1 }, 'requires the type number, but this field has the type string'],
  ['integer', { type: 'boolean', integer: true }, 'requires the type number'],
  ['pattern', { type: 'number', pattern: 'x' }, 'requires the type string'],
  ['format', { type: 'object', format: 'email' }, 'requires the type string'],
  ['maxLength', { type: 'array', maxLength: 1 }, 'requires the type string'],
  ['items', { type: 'object', items: {} }, 'requires the type array'],
  ['minItems', { type: 'string', minItems: 1 }, 'requires the type array'],
  ['properties', { type: 'array', properties: {} }, 'requires the type object'],
])("cannot be created from a field with another type's keyword %s", (member, given, message) => {
  const field = { name: 'v', ...given };
  expect(() => new DataSchema({ fields: [field] })).toThrow(`/schema/fields/0/${member} ${message}`);
  const nested: FieldDefinition = { name: 'o', type: 'object', properties: { v: field } };
  expect(() => new DataSchema({ fields: [nested] })).toThrow(`/schema/fields/0/properties/v/${member} `);
});

it('can be created from a nested field without a type', () => {
  const items = { minLength: 1, min: 2 };
  expect(check([{ name: 'v', type: 'array', items }], { v: ['', 1] })).toEqual([
    { path: '/data/v/0', message: 'must have at least 1 character' },
    { path: '/data/v/1', message: 'must be at least 2' },
  ]);
});

it('cannot be created from a schema that is nested too deeply', () => {
  let items: Record<string, unknown> = { type: 'string' };
  for (let depth = 0; depth < 50; depth += 1) items = { type: 'array', items };
  expect(() => new DataSchema({ fields: [{ name: 'v', type: 'array', items }] })).toThrow(
    /is nested deeper than 20/,
  );
});

const TO_STRING: FieldDefinition[] = [{ name: 'toString', type: 'string', default: 'x' }];
const properties = (named: object): FieldDefinition[] => {
  const typed = Object.entries(named).map(([name, field]) => [name, { type: 'string', ...field }]);
  return [{ name: 'v', type: 'object', properties: Object.fromEntries(typed) as Record<string, Field> }];
};
const thousand = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`w${index}`, {}]));
it.each<[string, FieldDefinition[], string]>([
  ['the name of a prototype', [{ type: 'string', name: '__proto__' }], '/schema/fields/0 must not be'],
  ['a default of a prototype', TO_STRING, '/schema/fields/0 cannot have a default'],
  ['a nested prototype', properties({ constructor: {} }), '/schema/fields/0/properties/constructor must'],
  ['a nested check of a wrong type', properties({ w: { minLength: 'x' } }), 'minLength must be integer'],
  [
    'patterns that are too large together',
    Array.from({ length: 500 }, (_, index) => ({
      name: `v${index}`,
      type: 'string',
      pattern: `(a{0,30}){0,30}${index}`,
    })),
    'is too large when added to the patterns before it',
  ],
  ['a long nested pattern', properties({ w: { pattern: 'a'.repeat(1001) } }), 'more than 1000 characters'],
  ['thousands of nested fields', properties(thousand), 'has more than 1000 fields'],
])('cannot be created from a schema with %s', (_what, fields, message) => {
  const attempt = () => new DataSchema({ fields });
  expect(attempt).toThrow(DataSchemaError);
  expect(attempt).toThrow(message);
});
