import { Type, type TSchema } from 'typebox';
import { DOCUMENT_FORMATS, mediaTypeOf } from '@trifold/crds';
import { DEFAULT_CONTENT_TYPE } from '@trifold/platform/object-store/object-metadata.ts';
import type { RequestData } from '@trifold/platform/request-body/raw-json.ts';

/** The response to a DELETE. */
export const Deleted = Type.Object(
  { id: Type.String({ description: 'ID of the deleted resource.' }), deleted: Type.Literal(true) },
  { title: 'Deleted', description: 'Confirmation of the deletion.' },
);

/** Returns an example response to the DELETE of a resource. */
export function exampleOfDeleted({ id }: { readonly id: string }) {
  return { id, deleted: true };
}

/** The `:id` of a path. Its format is not checked: an invalid ID returns 404. */
export const IdParams = Type.Object({ id: Type.String({ description: 'ID.' }) });

/** Returns the schema for the data of one document or email. */
export function documentData() {
  return Type.Unsafe<RequestData>({
    type: 'object',
    description:
      'Values for the bindings. An integer that a double cannot represent keeps all its digits; other numbers are doubles.',
  });
}

const BYTES = Type.String({ format: 'binary' });

/** Request header of a download. */
export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({
      description: 'The ETag of a file that the client already has. Returns 304 if the file has not changed.',
    }),
  ),
});

/** A 304 response. */
export const notModified = Type.Null({ description: 'The client already has the file.' });

interface FileResponse {
  readonly description?: string;
  /** Schema of the response when it is JSON instead. */
  readonly json?: TSchema;
  readonly mediaTypes?: readonly string[];
}

/**
 * Returns the documentation for a file response. Some client generators take the first media type that they know, and
 * decode a file as text if that type is text/html.
 */
export function fileResponse({
  description = 'The file.',
  json,
  mediaTypes = DOCUMENT_FORMATS.map(mediaTypeOf),
}: FileResponse = {}) {
  const listed = json ? mediaTypes : [DEFAULT_CONTENT_TYPE, ...mediaTypes];
  return {
    description,
    content: {
      ...(json && { 'application/json': { schema: json } }),
      ...Object.fromEntries(listed.map((type) => [type, { schema: BYTES }])),
    },
  };
}

/** Returns the schema for a value or null. */
export function nullable<const Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A name for lists with one line per entry: at least one visible character and no control characters. */
export const ShownName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name.',
  pattern: '^((?=.*\\S)[^\\u0000-\\u001f\\u007f]*)?$',
  'x-pattern-message': 'must not be blank or contain control characters',
});
