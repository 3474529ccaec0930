import { DOCUMENT_FORMATS, mediaTypeOf } from '@trifold/crds';
import { Type, type TSchema } from 'typebox';

const BYTES = Type.String({ format: 'binary' });

/** Request header of a download. */
export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'The ETag of a file that the caller has; 304 when it is the same.' }),
  ),
});

/** A 304. */
export const notModified = Type.Null({ description: 'The caller has the file.' });

interface FileAnswer {
  readonly description?: string;
  /** Schema of the answer if it is JSON instead. */
  readonly json?: TSchema;
  readonly mediaTypes?: readonly string[];
}

/** Returns the documentation of an answer that is a file. */
export function fileAnswer({
  description = 'The file.',
  json,
  mediaTypes = DOCUMENT_FORMATS.map(mediaTypeOf),
}: FileAnswer = {}) {
  return {
    description,
    content: {
      ...(json && { 'application/json': { schema: json } }),
      ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: BYTES }])),
    },
  };
}
