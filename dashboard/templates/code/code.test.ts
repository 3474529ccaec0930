import { describe, expect, it } from 'vitest';
import { formatJson, isSameJson, parseObject } from '../json-text.ts';
import { mergedShape, shapeOfData, shapeOfSchema } from './data-shape.ts';
import { expectedAt } from './expected-argument.ts';
import { fitted } from './fitted-snippet.ts';
import { scopeAtEnd, shapeAtPath } from './template-scope.ts';
import { parsedJson, rangeOfPointer, rangeOfSyntaxError } from './text-position.ts';

describe('Positions in JSON', () => {
  const json = '{\n  "a/b": [1, {"type": "x"}],\n  "c": {\n    "d": 2\n  }\n}';
  const found = (pointer: string) => {
    const { from, to } = rangeOfPointer(parsedJson(json), pointer);
    return json.slice(from, to);
  };

  it('point to the value, or the nearest one around it', () => {
    expect(['/a~1b/1/type', '/a~1b/0', '/c/missing/deeper', ''].map(found)).toEqual(['"x"', '1', '{', '{']);
  });

  it('point to where a string stops being JSON', () => {
    expect(rangeOfSyntaxError(parsedJson('{"a": 1,\n x}')).from).toBe(10);
  });
});

describe('JSON in the editor', () => {
  it('keeps the digits of integers that a number cannot represent', () => {
    const text = '{\n  "id": 9007199254740993,\n  "more": []\n}';
    const parsed = parseObject(`\uFEFF${text}`);
    const value = 'value' in parsed ? parsed.value : null;
    expect(formatJson({ ...value })).toBe(text);
    expect(shapeOfData(value).members.get('id')).toMatchObject({ type: 'number' });
    expect(isSameJson(text, text.replace('3,', '3 ,'))).toBe(true);
    expect(isSameJson(text, text.replace('3,', '2,'))).toBe(false);
  });

  it.each([
    ['{"a": [1, {"b": null, "c": ""}]}', '{"a":[1.0,{"c":"","b":null}]}', true],
    ['{"a": 1, "b": 2}', '{"a": 1}', false],
    ['{"a": []}', '{"a": {}}', false],
    ['{"a": [1, 2]}', '{"a": [2, 1]}', false],
    ['{"__proto__": 1}', '{"a": 1}', false],
    ['', ' ', true],
    ['', '{}', false],
  ])('compares %s with %s', (one, other, isSame) => {
    expect(isSameJson(one, other)).toBe(isSame);
    expect(isSameJson(other, one)).toBe(isSame);
  });

  it('parses a long string only once', () => {
    const text = JSON.stringify({ name: 'a'.repeat(20_000) });
    expect(parseObject(text)).toBe(parseObject(text));
  });
});

const schema = {
  fields: [
    { name: 'customer', type: 'object', properties: { name: { type: 'string' } } },
    { name: 'lines', type: 'array', items: { type: 'object', properties: { qty: { type: 'number' } } } },
  ],
};
const root = mergedShape(shapeOfSchema(schema), shapeOfData({ lines: [{ price: 1 }, { note: 'n' }] }));
const namesAt = (template: string, path = '') => [
  ...shapeAtPath(path, scopeAtEnd(template, root)).members.keys(),
];

it('Template bindings are fields of the value selected by the open blocks', () => {
  expect(namesAt('<p>')).toEqual(['customer', 'lines']);
  expect(namesAt('{{#if x}}{{#each lines}}')).toEqual(['qty', 'price', 'note']);
  expect(namesAt('{{#each lines}}{{/each}}')).toEqual(['customer', 'lines']);
  expect(namesAt('{{#each lines as |line|}}', 'line.')).toEqual(['qty', 'price', 'note']);
  expect(namesAt('{{#each lines}}', '../customer.')).toEqual(['name']);
  expect(namesAt('{{#with customer}}', '@root.')).toEqual(['customer', 'lines']);
});

it.each([
  ['<p>', '{{sum #{list}}}'],
  ['{{#if a}}{{', 'sum #{list}'],
  ['{{#if ', '(sum #{list})'],
])('inserts a call after %s as %s', (before, inserted) => {
  expect(fitted('{{sum #{list}}}', before)).toBe(inserted);
  expect(fitted('{{#eq #{value}}}#{}{{/eq}}', before)).toMatch(/^\{\{#eq/);
});

it.each([
  ['{{cust', 'output'],
  ['{{{~customer.na', 'output'],
  ['{{#each li', 'list'],
  ['{{else if pa', 'condition'],
  ['{{^cust', 'any'],
  ['{{formatDate (lookup a "b") sty', 'text'],
  ['{{#if (gt (sum li', 'numbers'],
  ['{{(cust', 'any'],
  ['{{formatCurrency total "EUR" decimals=di', 'number'],
  ['{{multiply 1 2 fac', 'number'],
  ['{{unknown cust', 'any'],
])('knows what is expected at the end of %s: %s', (tag, expected) => {
  expect(expectedAt(tag)).toBe(expected);
});
