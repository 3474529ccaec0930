import { batchInFullOf, BatchInFullView } from '../batch-view.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

const schema = {
  operationId: 'readBatch',
  summary: 'Read the status of a batch',
  description: 'The `status_url`, for any key of the account.',
  tags: ['Batches'],
  params: IdParams,
  response: { 200: BatchInFullView },
  errors: ['batch_not_found', 'expired'],
} as const;

/** GET /v1/generate/batch/:id, for any key of the account. */
export function readBatch(app: Application, { batches }: Services): void {
  app.get('/v1/generate/batch/:id', { schema }, async (request) =>
    batchInFullOf(await batches.get(request.caller.account, request.params.id)),
  );
}
