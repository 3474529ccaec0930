import { batchInFullOf, BatchInFullView } from '../../batches/batch-view.ts';
import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { IdParams } from '../id-params.ts';

const schema = { params: IdParams, response: { 200: BatchInFullView, ...errorResponses } };

/** GET /v1/generate/batch/:id. Any key of the account may ask. */
export function readBatch(app: Application, { batches }: Services): void {
  app.get('/v1/generate/batch/:id', { schema }, async (request) =>
    batchInFullOf(await batches.get(request.caller.account, request.params.id)),
  );
}
