import { describe, expect, it } from 'vitest';
import type { FieldError } from '../objects/field-error.ts';
import type { JsonObject } from '../encoding/json.ts';
import { pruneAndDefault } from './prune-and-default.ts';
import { validateValue } from './schema-validation.ts';
import { compileSchema } from './structural-schema.ts';

function problems(schema: JsonObject, value: unknown, old?: unknown): string[] {
  const errors: FieldError[] = [];
  validateValue(compileSchema(schema), value, { field: 'f', old }, errors);
  return errors.map(({ field, reason }) => `${field} ${reason.replace('FieldValue', '')}`);
}

describe('Schema validation', () => {
  it.each<[string, JsonObject, unknown, string[]]>([
    ['a valid type', { type: 'string' }, 'x', []],
    ['a wrong type', { type: 'string' }, 5, ['f TypeInvalid']],
    ['a whole number for a number', { type: 'number' }, 5, []],
    ['a fraction for an integer', { type: 'integer' }, 5.5, ['f TypeInvalid']],
    ['an array for an object', { type: 'object' }, [], ['f TypeInvalid']],
    ['null', { type: 'string' }, null, ['f TypeInvalid']],
    ['an enum', { type: 'string', enum: ['a'] }, 'b', ['f NotSupported']],
    ['a string that is too short', { type: 'string', minLength: 2 }, 'x', ['f Invalid']],
    [
      'characters beyond 16 bits, each counted as one',
      { type: 'string', maxLength: 2, minLength: 2 },
      '😀😀',
      [],
    ],
    [
      'a string that is too long, with no other error',
      { type: 'string', maxLength: 2, pattern: '^a$' },
      'xyz',
      ['f TooLong'],
    ],
    ['a pattern', { type: 'string', pattern: '^a$' }, 'b', ['f Invalid']],
    ['a format', { type: 'string', format: 'date-time' }, 'now', ['f TypeInvalid']],
    ['a bound', { type: 'integer', minimum: 1, maximum: 3 }, 4, ['f Invalid']],
    ['too many items', { type: 'array', maxItems: 1, items: { type: 'integer' } }, [1, 2], ['f TooMany']],
    ['items', { type: 'array', items: { type: 'integer' } }, [1, 'x'], ['f[1] TypeInvalid']],
    [
      'a set',
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      ['a', 'b', 'a', 'a'],
      ['f[2] Duplicate'],
    ],
    [
      'a list with keys',
      {
        type: 'array',
        items: { type: 'object' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      [{ k: 1 }, { k: 2 }, { k: 1 }],
      ['f[2] Duplicate'],
    ],
    ['a missing member', { type: 'object', required: ['a'] }, {}, ['f.a Required']],
    [
      'values of a map',
      { type: 'object', additionalProperties: { type: 'string' } },
      { a: 1 },
      ['f.a TypeInvalid'],
    ],
  ])('reports the expected errors for: %s', (_, schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });

  it('accepts an invalid value that the update does not change', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } };
    expect(problems(schema, { a: 'old', b: 1 }, { a: 'old', b: 0 })).toEqual([]);
    expect(problems(schema, { a: 'new', b: 1 }, { a: 'old', b: 0 })).toEqual(['f.a TypeInvalid']);
  });

  it('rejects a schema with keywords that it does not enforce', () => {
    expect(() => compileSchema({ type: 'object', oneOf: [] })).toThrow('oneOf');
  });
});

describe('pruneAndDefault', () => {
  const node = compileSchema({
    type: 'object',
    properties: {
      state: { type: 'string', default: 'active' },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      items: {
        type: 'array',
        items: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
      },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
  });

  it('removes unknown members, reports their paths and fills in defaults', () => {
    const value = {
      junk: 1,
      free: { any: { thing: null } },
      items: [{ size: 3, extra: 1 }, {}],
      labels: { a: 'b' },
    };
    const unknown: string[] = [];
    pruneAndDefault(node, value, '', unknown);
    expect(value).toEqual({
      state: 'active',
      free: { any: { thing: null } },
      items: [{ size: 3 }, { size: 1 }],
      labels: { a: 'b' },
    });
    expect(unknown).toEqual(['junk', 'items[0].extra']);
  });

  it('treats null as absent', () => {
    const value: JsonObject = { state: null, free: null };
    pruneAndDefault(node, value, '', []);
    expect(value).toEqual({ state: 'active' });
  });
});
