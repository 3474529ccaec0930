import { isDeepStrictEqual } from 'node:util';
import { forbidden, invalid, tooLong, type FieldError } from '../objects/field-error.ts';
import { isObject } from '../encoding/json.ts';
import { fieldAt } from '../objects/selectors.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { AGE_COLUMN, NAME_COLUMN } from '../objects/table.ts';
import { builtinKind, column, described, STRING } from './builtin.ts';

/** Maximum total size of a Secret's values in bytes (core `MaxSecretSize`). */
const SECRET_LIMIT = 1024 * 1024;

/** Secrets of core/v1. */
export const SECRET = builtinKind({
  kind: 'Secret',
  description: 'Secret holds secret data of a certain type.',
  properties: {
    data: {
      type: 'object',
      additionalProperties: { type: 'string', format: 'byte' },
      description: 'Values in base64.',
    },
    stringData: {
      type: 'object',
      additionalProperties: STRING,
      description: 'Values as strings; stored in data, never returned.',
    },
    type: described(STRING, 'Type of the secret.'),
    immutable: { type: 'boolean', description: 'Whether the data can no longer be changed.' },
  },
  columns: [
    NAME_COLUMN,
    column('Type', 'Used to facilitate programmatic handling of secret data.', (object) => object['type']),
    column('Data', 'Number of values.', (object) => Object.keys(dataOf(object)).length),
    AGE_COLUMN,
  ],
  selectable: { type: fieldAt(['type']) },
  behaviour: { prepare: prepareSecret, validate: validateSecret },
});

function dataOf(object: StoredObject): Record<string, string> {
  return isObject(object['data']) ? (object['data'] as Record<string, string>) : {};
}

function prepareSecret(object: StoredObject): void {
  if (isObject(object['stringData'])) {
    const written = Object.entries(object['stringData']).map(([key, value]) => [
      key,
      Buffer.from(String(value)).toString('base64'),
    ]);
    object['data'] = { ...dataOf(object), ...(Object.fromEntries(written) as object) };
  }
  delete object['stringData'];
  object['type'] ||= 'Opaque';
}

function validateSecret(object: StoredObject, old: StoredObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(dataOf(object))) {
    bytes += Buffer.byteLength(value, 'base64');
    if (!/^[-._a-zA-Z0-9]+$/.test(key) || key === '.' || key === '..' || key.length > 253)
      errors.push(
        invalid(
          `data[${key}]`,
          key,
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name')",
        ),
      );
  }
  if (bytes > SECRET_LIMIT) errors.push(tooLong('data', SECRET_LIMIT));
  return old ? [...errors, ...secretUpdateErrors(object, old)] : errors;
}

function secretUpdateErrors(object: StoredObject, old: StoredObject): FieldError[] {
  const errors: FieldError[] = [];
  if (object['type'] !== old['type']) errors.push(invalid('type', object['type'], 'field is immutable'));
  if (old['immutable'] !== true) return errors;
  const message = 'field is immutable when `immutable` is set';
  if (object['immutable'] !== true) errors.push(forbidden('immutable', message));
  if (!isDeepStrictEqual(dataOf(object), dataOf(old))) errors.push(forbidden('data', message));
  return errors;
}
