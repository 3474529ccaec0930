import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BatchRequest } from '../batch-acceptor.ts';
import { BatchBody } from '../batch-body.ts';
import { BatchView, batchViewOf } from '../batch-view.ts';
import type { StoredBatch } from '../batches.ts';
import { makeBatch, makeBatchOnce } from '../make-batch.ts';
import { idempotencyKeyOf } from '@trifold/api-gateway/server/idempotency/idempotency-key.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { disconnection } from '@trifold/api-gateway/server/http/disconnection.ts';
import { IdempotencyKey } from '@trifold/api-gateway/server/idempotency/idempotency-key-header.ts';
import { GENERATION_ERRORS } from '@trifold/api-gateway/templates/routes/template-errors.ts';

const schema = {
  operationId: 'createBatch',
  summary: 'Generate a batch of documents',
  description:
    'Answers at once. The service checks all items before it accepts any. Poll the batch at its `status_url`.',
  tags: ['Batches'],
  body: BatchBody,
  requestHeaders: IdempotencyKey,
  response: { 202: BatchView },
  links: { 202: ['readBatch', 'downloadBatch'] },
  responseHeaders: { 202: ['Idempotency-Replayed'] },
  errors: [...GENERATION_ERRORS],
} as const;

/**
 * POST /v1/generate/batch: always 202 (interface, same name). Requests with the same Idempotency-Key create one batch.
 */
export function createBatch(app: Application, services: Services): void {
  const bodyLimit = services.config.maxBatchBodyBytes;
  app.post('/v1/generate/batch', { schema, bodyLimit }, async (request, reply) => {
    const { caller, body } = request;
    const wanted = { caller, body, signal: disconnection(reply) };
    const batch = await batchFor(services, wanted, { request, reply });
    return reply.code(202).send(batchViewOf(batch));
  });
}

async function batchFor(
  services: Services,
  wanted: BatchRequest,
  { request, reply }: { request: Pick<FastifyRequest, 'headers' | 'bodyFingerprint'>; reply: FastifyReply },
): Promise<StoredBatch> {
  const key = idempotencyKeyOf(request.headers);
  if (key === undefined) return makeBatch(services, wanted);
  const fingerprint = request.bodyFingerprint;
  const { batch, replayed } = await makeBatchOnce(services, wanted, { key, fingerprint });
  if (replayed) reply.header('idempotency-replayed', 'true');
  return batch;
}
