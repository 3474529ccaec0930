import { sendArchive } from '../../batches/batch-files.ts';
import { errorResponses } from '../../errors/error-body.ts';
import { checkDownloadKey } from '../../generation/download-key.ts';
import type { Application, Services } from '../../services.ts';
import { IdParams } from '../id-params.ts';

const schema = { params: IdParams, response: errorResponses };

/**
 * GET and HEAD /v1/generate/batch/:id/download: the files of a finished batch as a zip, read from the store while it is
 * sent. When a file cannot be read to its end the connection breaks: a zip that ends is whole.
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
