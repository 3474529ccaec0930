import { forbidden, notSupported, type FieldError } from '../objects/field-error.ts';
import type { FieldValidation } from '../encoding/object-decoding.ts';
import { invalidObject } from '../objects/status-error.ts';

/** Options of a create, replace or patch, from the query. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

const FIELD_VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

/**
 * Reads `dryRun` and `fieldValidation`. Throws StatusError 422 for unknown values, and for `force`, which is only for
 * server-side apply.
 */
export function writeOptionsOf(
  query: Readonly<Record<string, string>>,
  optionsKind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): WriteOptions {
  const { dryRun = '', fieldValidation = '' } = query;
  const errors: FieldError[] = [];
  if (optionsKind === 'PatchOptions' && query['force'] !== undefined)
    errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  if (dryRun !== '' && dryRun !== 'All') errors.push(notSupported('dryRun', [dryRun], ['All']));
  if (!FIELD_VALIDATIONS.includes(fieldValidation))
    errors.push(notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS));
  if (errors.length > 0)
    throw invalidObject({ group: 'meta.k8s.io', resource: optionsKind, name: '' }, errors);
  return { dryRun: dryRun === 'All', fieldValidation: (fieldValidation || 'Warn') as FieldValidation };
}
