import type { ServedKind } from '../served-kind.ts';
import { invalid, type FieldError } from './field-error.ts';
import { isObject, valueAt, type JsonObject } from '../encoding/json.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata-validation.ts';
import { badRequest, invalidObject } from './status-error.ts';
import { validateValue } from '../schema/schema-validation.ts';
import type { StoredObject } from './stored-object.ts';

/** Errors that prevent the evaluation of CEL rules, because the rules may rely on the types. */
const BLOCKING: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * Validates an object before it is written: metadata, schema, CEL rules and kind-specific checks. Throws StatusError
 * 422 with a cause for each problem, and 400 for wrong types in built-in kinds, like Go's decoder.
 */
export function validateObject(
  kind: ServedKind,
  object: StoredObject,
  old: StoredObject | undefined,
  part: 'whole' | 'status' = 'whole',
): void {
  const errors =
    part === 'status'
      ? []
      : [
          ...validateMetadata(object.metadata, kind.behaviour.nameIsLabel),
          ...(old ? validateMetadataUpdate(object.metadata, old.metadata) : []),
        ];
  errors.push(...schemaErrors(kind, object, old, part));
  if (kind.rules.length > 0) errors.push(...ruleErrors(kind, object, old, errors));
  if (errors.length === 0 || !kind.behaviour.typed)
    errors.push(...(kind.behaviour.validate?.(object, old) ?? []));
  if (errors.length > 0)
    throw invalidObject({ group: kind.group, resource: kind.kind, name: object.metadata.name }, errors);
}

function schemaErrors(
  kind: ServedKind,
  object: StoredObject,
  old: StoredObject | undefined,
  part: 'whole' | 'status',
): FieldError[] {
  const errors: FieldError[] = [];
  if (part === 'status') {
    const node = kind.schema.properties.get('status');
    if (node && object['status'] !== undefined)
      validateValue(node, object['status'], { field: 'status', old: old?.['status'] }, errors);
  } else {
    validateValue(kind.schema, object, { field: '', old }, errors);
  }
  if (kind.behaviour.typed && errors.some((error) => error.reason === 'FieldValueTypeInvalid'))
    throw badRequest(
      `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${errors.map((error) => error.message).join(', ')}`,
    );
  return errors;
}

function ruleErrors(
  kind: ServedKind,
  object: StoredObject,
  old: StoredObject | undefined,
  errors: readonly FieldError[],
): FieldError[] {
  if (errors.some((error) => BLOCKING.has(error.reason)))
    return [
      invalid(
        '<nil>',
        null,
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ),
    ];
  return kind.rules.flatMap(({ path, rule }) => {
    const self = valueAt(object, path);
    const oldSelf = old && valueAt(old, path);
    if (!isObject(self) || (rule.transition && !isObject(oldSelf))) return [];
    const holds = rule.holds(self, (oldSelf ?? {}) as JsonObject);
    return holds ? [] : [invalid(path.join('.'), 'object', rule.message)];
  });
}
