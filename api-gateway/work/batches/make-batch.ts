import { bodyFingerprint } from '@trifold/platform/request-body/body-fingerprint.ts';
import type { RequestKey } from '../../server/idempotency/idempotency-key.ts';
import { requestOnce } from '../../server/idempotency/request-once.ts';
import type { RequestRecords } from '../../server/idempotency/request-records.ts';
import type { BatchAcceptor, BatchRequest } from './batch-acceptor.ts';
import { batchOf, type Batches, type StoredBatch } from './batches.ts';

/** Services that create a batch and find it again. */
export interface BatchServices {
  readonly batchAcceptor: BatchAcceptor;
  readonly batches: Batches;
  readonly requests: RequestRecords;
}

const ROUTE = 'POST /v1/generate/batch';

/** Creates a batch without checking for an earlier request. */
export async function makeBatch(
  { batchAcceptor }: BatchServices,
  request: BatchRequest,
): Promise<StoredBatch> {
  const accepted = await batchAcceptor.accept(request);
  return batchOf(await accepted.create());
}

/**
 * Creates at most one batch per Idempotency-Key, across retries and gateways. Throws ApiError `idempotency_key_reused`
 * for a different body.
 */
export async function makeBatchOnce(
  services: BatchServices,
  request: BatchRequest,
  { key, fingerprint }: RequestKey,
): Promise<{ batch: StoredBatch; replayed: boolean }> {
  const { account, keyId } = request.caller;
  // Hash before the schema defaults of the template are filled into the data.
  const bodySha256 = fingerprint ?? bodyFingerprint(request.body);
  const { made, replayed } = await requestOnce(
    services.requests,
    { identity: { account, keyId, route: ROUTE, key }, bodySha256 },
    {
      accept: async (earlierId) => services.batchAcceptor.accept(request, earlierId),
      create: async (accepted) => batchOf(await accepted.create()),
      get: async (id) => services.batches.get(account, id),
      notFound: 'batch_not_found',
    },
  );
  return { batch: made, replayed };
}
