import { expect, it } from 'vitest';
import type { FieldError } from '../objects/field-error.ts';
import { validateValue } from './schema-validation.ts';
import { compileSchema } from './structural-schema.ts';

it('accepts an invalid value that the update does not change', () => {
  const node = compileSchema({
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  });
  const old = { a: 'old', b: 0 };
  const problems = (value: unknown) => {
    const errors: FieldError[] = [];
    validateValue(node, value, { field: 'f', old }, errors);
    return errors.map(({ field, reason }) => `${field} ${reason}`);
  };
  expect(problems({ a: 'old', b: 1 })).toEqual([]);
  expect(problems({ a: 'new', b: 1 })).toEqual(['f.a FieldValueTypeInvalid']);
});

it('rejects a schema with keywords that the server does not enforce', () => {
  expect(() => compileSchema({ type: 'object', oneOf: [] })).toThrow('oneOf');
});
