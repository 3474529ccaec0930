import type { FieldDefinition } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { findDefaultProblems } from './schema-defaults.ts';

const object = (name: string, properties: Record<string, unknown>, more: object = {}): FieldDefinition => ({
  name,
  type: 'object',
  properties,
  ...more,
});

describe('Schema defaults', () => {
  it('may be any values that their fields accept, with nested defaults filled in', () => {
    const fields: FieldDefinition[] = [
      { name: 'a', type: 'string', required: true, default: 'x' },
      object('o', { p: { type: 'number', required: true, default: 1 } }, { default: {} }),
      { name: 'l', type: 'array', items: { properties: { q: { default: 'anything' } } }, minItems: 1 },
    ];
    expect(findDefaultProblems({ fields })).toEqual([]);
  });

  it.each<[string, FieldDefinition, string, string]>([
    ['at the top', { name: 'a', type: 'number', default: 'x' }, '/0/default', 'must be a number'],
    [
      'with an integer that loses digits',
      { name: 'a', type: 'array', default: [...Array.from({ length: 130_000 }, () => 0), { b: 2 ** 53 }] },
      '/0/default',
      'has an integer beyond 2^53, which would lose digits: use a string',
    ],
    [
      'in a property',
      object('a', { 'b/c': { type: 'string', default: 5 } }),
      '/0/properties/b~1c/default',
      'must be a string',
    ],
    [
      'in the items of an array',
      { name: 'a', type: 'array', items: { properties: { b: { format: 'date', default: 'x' } } } },
      '/0/items/properties/b/default',
      'must be a date (YYYY-MM-DD)',
    ],
    [
      'inside the default of an object',
      object('a', { b: { type: 'number', required: true } }, { default: {} }),
      '/0/default/b',
      'is required',
    ],
    [
      'in an object with its own default',
      object('a', { b: { type: 'number', default: 'x' } }, { default: {} }),
      '/0/properties/b/default',
      'must be a number',
    ],
    [
      'in an object without a required property',
      object('a', { b: { type: 'number', max: 1, default: 2 }, c: { type: 'string', required: true } }),
      '/0/properties/b/default',
      'must be at most 1',
    ],
  ])('are reported if they are wrong %s', (_where, field, path, message) => {
    expect(findDefaultProblems({ fields: [field] })).toEqual([{ path: `/schema/fields${path}`, message }]);
  });

  it('are checked in a schema with many fields', () => {
    const fields = Array.from({ length: 1000 }, (_, index): FieldDefinition => ({
      name: `f${index}`,
      type: 'number',
      default: index === 999 ? 'x' : 1,
    }));
    expect(findDefaultProblems({ fields })).toMatchObject([{ path: '/schema/fields/999/default' }]);
  });

  it('are rejected if too many are nested inside each other', () => {
    let properties: Record<string, unknown> = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`f${index}`, { type: 'string' }]),
    );
    for (let depth = 0; depth < 5; depth += 1) {
      properties = { o: { type: 'object', default: {}, properties } };
    }
    expect(findDefaultProblems({ fields: [object('o', properties)] })).toEqual([
      { path: '/schema', message: 'has too many nested defaults of objects and arrays' },
    ]);
  });
});
