import { Type } from 'typebox';
import { itemAt, itemFile } from '../batch-files.ts';
import { checkDownloadKey } from '../../documents/download-key.ts';
import { sendFile } from '../../documents/file-response.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { fileAnswer, IfNoneMatch, notModified } from '@trifold/api-gateway/server/http/file-answer.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

/** Any other id or index gives 404, not a validation error. */
const ItemParams = Type.Object({
  ...IdParams.properties,
  index: Type.String({ description: 'Index of the item in the request, from 0.' }),
});
const schema = {
  operationId: 'downloadBatchItem',
  summary: 'Download one document of a batch',
  description: 'The `file_url` of an item, for the key that made the batch.',
  tags: ['Batches'],
  params: ItemParams,
  requestHeaders: IfNoneMatch,
  response: { 200: fileAnswer(), 304: notModified },
  responseHeaders: { 200: ['Content-Disposition', 'ETag'], 304: ['ETag'] },
  errors: [
    'batch_not_found',
    'document_not_found',
    'expired',
    'different_key',
    'not_ready',
    'generation_failed',
  ],
} as const;

/** GET and HEAD /v1/generate/batch/:id/items/:index/download: the file_url of an item. */
export function downloadBatchItem(app: Application, { batches, store, config }: Services): void {
  app.route({
    // Explicit HEAD, as for single documents.
    method: ['GET', 'HEAD'],
    url: '/v1/generate/batch/:id/items/:index/download',
    schema,
    async handler(request, reply) {
      const batch = await batches.get(request.caller.account, request.params.id);
      checkDownloadKey('batch', batch.facts.keyId, request.caller, config.downloadAccess);
      const file = await itemFile(store, batch, itemAt(batch, request.params.index));
      return sendFile(request, reply, file, store);
    },
  });
}
