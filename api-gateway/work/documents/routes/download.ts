import { ApiError } from '@trifold/api-gateway/server/errors/api-error.ts';
import { statusUrlOf } from '../document-view.ts';
import type { StoredDocument } from '../documents.ts';
import { checkDownloadKey } from '../download-key.ts';
import { sendFile } from '../file-response.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';
import { fileAnswer, IfNoneMatch, notModified } from '@trifold/api-gateway/server/http/file-answer.ts';

const schema = {
  operationId: 'downloadDocument',
  summary: 'Download a document',
  description:
    'The `file_url`. Only the key that made the document can download it, unless the service allows every key of the account.',
  tags: ['Documents'],
  params: IdParams,
  requestHeaders: IfNoneMatch,
  response: { 200: fileAnswer(), 304: notModified },
  responseHeaders: { 200: ['Content-Disposition', 'ETag'], 304: ['ETag'] },
  errors: ['document_not_found', 'expired', 'different_key', 'not_ready', 'generation_failed'],
} as const;

/** GET and HEAD /v1/generate/:id/download: the file_url (interface: "Requires the same API key"). */
export function downloadDocument(app: Application, { documents, store, config }: Services): void {
  app.route({
    // Explicit HEAD: the one that Fastify derives from GET would read the whole file and lose its length.
    method: ['GET', 'HEAD'],
    url: '/v1/generate/:id/download',
    schema,
    async handler(request, reply) {
      const document = await documents.get(request.caller.account, request.params.id);
      checkDownloadKey('document', document.facts.keyId, request.caller, config.downloadAccess);
      checkCompleted(document);
      return sendFile(request, reply, document, store);
    },
  });
}

function checkCompleted({ status, facts, error }: StoredDocument): void {
  if (status === 'completed') return;
  if (status === 'failed') {
    const reason = error ? `: ${error.message}` : '.';
    throw new ApiError('generation_failed', `The document could not be generated${reason}`);
  }
  const message = `The document is ${status}. Poll ${statusUrlOf(facts.job)} until its status is completed.`;
  throw new ApiError('not_ready', message);
}
