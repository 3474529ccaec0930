import type { Caller } from '../authentication/caller.ts';
import { requestOnce } from '../idempotency/request-once.ts';
import type { RequestRecords } from '../idempotency/request-records.ts';
import type { BatchAcceptor } from './batch-acceptor.ts';
import type { BatchBody } from './batch-body.ts';
import { batchOf, type Batches, type StoredBatch } from './batches.ts';

/** What it takes to make a batch and to find it again. */
export interface BatchServices {
  readonly batchAcceptor: BatchAcceptor;
  readonly batches: Batches;
  readonly requests: RequestRecords;
}

/** A request for a batch, whose shape is right. */
export interface BatchRequest {
  readonly caller: Caller;
  readonly body: BatchBody;
}

const ROUTE = 'POST /v1/generate/batch';

/** Makes a batch, whether or not the same was asked for before. */
export async function makeBatch(
  { batchAcceptor }: BatchServices,
  { caller, body }: BatchRequest,
): Promise<StoredBatch> {
  const accepted = await batchAcceptor.accept(caller, body);
  return batchOf(await accepted.create());
}

/**
 * Makes a batch once, however often and wherever the request is sent with the same Idempotency-Key. Throws ApiError
 * `idempotency_key_reused` for another body.
 */
export async function makeBatchOnce(
  services: BatchServices,
  request: BatchRequest,
  key: string,
): Promise<{ batch: StoredBatch; replayed: boolean }> {
  const { caller, body } = request;
  const { account, keyId } = caller;
  // Before the defaults of the template's schema are put into the data.
  const bodySha256 = await services.batchAcceptor.fingerprintOf(body);
  const { made, replayed } = await requestOnce(
    services.requests,
    { identity: { account, keyId, route: ROUTE, key }, bodySha256 },
    {
      accept: async (earlierId) => services.batchAcceptor.accept(caller, body, earlierId),
      create: async (accepted) => batchOf(await accepted.create()),
      get: async (id) => services.batches.get(account, id),
      notFound: 'batch_not_found',
    },
  );
  return { batch: made, replayed };
}
