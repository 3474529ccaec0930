import { isApiError } from '@trifold/platform/kubernetes/api-error.ts';
import type { Caller } from '../authentication/caller.ts';
import { ApiError } from '../errors/api-error.ts';
import { requestOnce } from '../idempotency/request-once.ts';
import type { RequestRecords } from '../idempotency/request-records.ts';
import type { BatchAcceptor } from './batch-acceptor.ts';
import type { BatchBody } from './batch-body.ts';
import { batchOf, type Batches, type StoredBatch } from './batches.ts';

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
  const { outcome, replayed } = await requestOnce(
    services.requests,
    { identity: { account, keyId, route: ROUTE, key }, bodySha256 },
    {
      accept: async () => services.batchAcceptor.accept(caller, body),
      run: async (accepted) => batchOf(await accepted.create()),
      repeat: async (id) => (await find(services, request, id)) ?? (await make(services, request, id)),
    },
  );
  return { batch: outcome, replayed };
}

async function find(
  { batches }: BatchServices,
  { caller }: BatchRequest,
  id: string,
): Promise<StoredBatch | undefined> {
  try {
    return await batches.get(caller.account, id);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'batch_not_found') return undefined;
    throw error;
  }
}

/** Under the id of an earlier sending that did not come to it, or has not yet. */
async function make(services: BatchServices, request: BatchRequest, id: string): Promise<StoredBatch> {
  const { caller, body } = request;
  const accepted = await services.batchAcceptor.accept(caller, body, id);
  try {
    return batchOf(await accepted.create());
  } catch (error) {
    if (isApiError(error, 'AlreadyExists')) return services.batches.get(caller.account, id);
    throw error;
  }
}
