/** One reason why an object is invalid; becomes a cause in the Status (`metav1.StatusCause`). */
export interface FieldError {
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueNotSupported'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden';
  readonly field: string;
  readonly message: string;
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown(value)}: ${detail}` };
}

export function required(field: string, detail?: string): FieldError {
  return {
    reason: 'FieldValueRequired',
    field,
    message: detail ? `Required value: ${detail}` : 'Required value',
  };
}

export function notSupported(field: string, value: unknown, supported: readonly unknown[]): FieldError {
  const values = supported.map((choice) => shown(choice)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${shown(value)}: supported values: ${values}`,
  };
}

export function tooLong(field: string, bytes: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${bytes} bytes` };
}

export function tooMany(field: string, count: number, most: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${count}: must have at most ${most} items`,
  };
}

export function wrongType(field: string, expected: string, actual: string): FieldError {
  return {
    reason: 'FieldValueTypeInvalid',
    field,
    message: `Invalid value: ${shown(actual)}: ${field} in body must be of type ${expected}: ${shown(actual)}`,
  };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${shown(value)}` };
}

export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

/** Messages quote at most this many characters of a value: an error must not contain a whole document. */
const SHOWN_LIMIT = 256;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > SHOWN_LIMIT ? `${text.slice(0, SHOWN_LIMIT)}…` : text;
}
