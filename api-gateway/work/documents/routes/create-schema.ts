import { Type } from 'typebox';
import { ErrorBody } from '@trifold/api-gateway/server/errors/error-body.ts';
import { DocumentView, FailedDocument } from '../document-view.ts';
import { GenerateBody } from '../generate-body.ts';
import { fileAnswer } from '@trifold/api-gateway/server/http/file-answer.ts';
import { IdempotencyKey } from '@trifold/api-gateway/server/idempotency/idempotency-key-header.ts';
import { GENERATION_ERRORS } from '@trifold/api-gateway/templates/routes/template-errors.ts';

/** A failed request for the file itself still returns the document. */
const GenerationError = Type.Object(
  { ...ErrorBody.properties, document: Type.Optional(FailedDocument) },
  { title: 'GenerationError', description: 'An error, with the document when it could not be generated.' },
);

/** Request and responses of POST /v1/generate. */
export const schema = {
  operationId: 'createDocument',
  summary: 'Generate a document',
  description:
    'Waits until the document is stored. With `async`, answers at once. With an `Accept` that names the media type of the format (`application/pdf`) the answer is the file itself, unless `async` or `webhook_url` is given.',
  tags: ['Documents'],
  body: GenerateBody,
  requestHeaders: IdempotencyKey,
  response: {
    200: fileAnswer({ description: 'The document, completed or failed; or its file.', json: DocumentView }),
    202: DocumentView,
    422: GenerationError,
  },
  links: { 200: ['readDocument', 'downloadDocument'], 202: ['readDocument', 'downloadDocument'] },
  responseHeaders: {
    200: ['Idempotency-Replayed', 'Content-Disposition', 'Content-Location', 'ETag'],
    202: ['Idempotency-Replayed'],
  },
  errors: [...GENERATION_ERRORS, { code: 'generation_failed', statusCode: 422 }],
} as const;
