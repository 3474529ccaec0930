import { sendArchive } from '../batch-files.ts';
import { checkDownloadKey } from '../../documents/download-key.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { fileAnswer } from '@trifold/api-gateway/server/http/file-answer.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

const schema = {
  operationId: 'downloadBatch',
  summary: 'Download the documents of a batch as a zip',
  description: 'Of a batch that is finished, without the items that failed; for the key that made the batch.',
  tags: ['Batches'],
  params: IdParams,
  response: { 200: fileAnswer({ description: 'The archive.', mediaTypes: ['application/zip'] }) },
  responseHeaders: { 200: ['Content-Disposition'] },
  errors: [
    'batch_not_found',
    'expired',
    'different_key',
    'not_ready',
    { code: 'generation_failed', statusCode: 422 },
  ],
} as const;

/**
 * GET and HEAD /v1/generate/batch/:id/download: streams the files of a finished batch from the store as a zip. A read
 * error breaks the connection, so a completed zip is always whole.
 */
export function downloadBatch(app: Application, { batches, store, config }: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/generate/batch/:id/download',
    schema,
    async handler(request, reply) {
      const batch = await batches.get(request.caller.account, request.params.id);
      checkDownloadKey('batch', batch.facts.keyId, request.caller, config.downloadAccess);
      return sendArchive(request, reply, batch, store);
    },
  });
}
