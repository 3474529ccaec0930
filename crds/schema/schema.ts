import { Type, type Static, type TSchema } from 'typebox';

/** A string that is one of `values`; a structural schema supports `enum`, not `anyOf` of constants. */
export function StringEnum<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });
}

/** Any JSON value, which the API server keeps unchanged and which is therefore invisible to CEL. */
export function AnyJson(options: object = {}) {
  return Type.Unsafe<unknown>({ 'x-kubernetes-preserve-unknown-fields': true, ...options });
}

/**
 * A JSON object with arbitrary fields, which the API server keeps unchanged and which is therefore invisible to CEL.
 */
export function AnyJsonObject(options: object = {}) {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    ...options,
  });
}

/** An RFC 3339 timestamp. */
export function Timestamp(options: object = {}) {
  return Type.String({ format: 'date-time', ...options });
}

/** A count, or a number of milliseconds or bytes. */
export function Count(description: string, options: object = {}) {
  return Type.Integer({ minimum: 0, ...options, description });
}

/** Name under which a file is saved. */
export function Filename() {
  return Type.String({ minLength: 1, maxLength: 255, description: 'File name for the download.' });
}

/** RFC 3339 as Go parses it: any fraction, with an offset. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Whether the string is an RFC 3339 time on a valid date. */
export function isDateTime(value: string): boolean {
  const [, day, time] = DATE_TIME.exec(value) ?? [];
  const date = new Date(`${day}T${time}Z`);
  // Date rolls an invalid day or hour over to the next one, or returns an invalid date.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
}

/** A SHA-256 as 64 lowercase hexadecimal digits. */
export function Sha256(options: object = {}) {
  return Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, ...options });
}

/** A job or batch, by kind, name and uid. */
export function WorkRef(description: string) {
  return Type.Object(
    {
      kind: Type.String({ minLength: 1, maxLength: 63, description: 'GenerationJob or Batch.' }),
      name: Type.String({ minLength: 1, maxLength: 253, description: 'Name.' }),
      uid: Type.String({ minLength: 1, maxLength: 64, description: 'Uid.' }),
    },
    { description },
  );
}

/** Content in the object store because it is too large for etcd. */
export const ObjectRef = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 512, description: 'Key in the object store.' }),
    sha256: Sha256({ description: 'SHA-256 of the content.' }),
    size: Count('Size in bytes.'),
  },
  { description: 'Content in the object store.' },
);
export type ObjectRef = Static<typeof ObjectRef>;

/** Returns the schema as plain JSON, without TypeBox's internal properties. */
export function toJsonSchema(schema: TSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}
