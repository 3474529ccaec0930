import { Type } from 'typebox';
import { itemAt, itemFile } from '../../batches/batch-files.ts';
import { errorResponses } from '../../errors/error-body.ts';
import { checkDownloadKey } from '../../generation/download-key.ts';
import { sendFile } from '../../generation/file-response.ts';
import type { Application, Services } from '../../services.ts';

/** What is no id or no index of anything is simply not found. */
const ItemParams = Type.Object({ id: Type.String(), index: Type.String() });
const schema = { params: ItemParams, response: errorResponses };

/** GET and HEAD /v1/generate/batch/:id/items/:index/download: the file_url of an item. */
export function downloadBatchItem(app: Application, { batches, store, config }: Services): void {
  app.route({
    // HEAD by itself, as for single documents.
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
