import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RequestErrorCode } from '@trifold/platform/service/error-codes.ts';
import { DataTaken } from '../../work/admission/first-data.ts';
import type { RequestIdentity, RequestRecord, RequestRecords } from './request-records.ts';

/** Identity and body of a request with an Idempotency-Key. */
export interface KnownRequest {
  readonly identity: RequestIdentity;
  /** SHA-256 of the body, independent of the order of its members. */
  readonly bodySha256: string;
}

/** Steps that carry out a request. */
export interface RequestSteps<Admitted extends { readonly id: string }, Made> {
  /**
   * Checks the request and generates the id of what it creates, unless an earlier attempt has done so. A request that
   * is rejected here does not use up its key, unless an earlier attempt has.
   */
  admit(earlierId?: string): Promise<Admitted>;
  /** Creates it. Rejects with KubernetesApiError `AlreadyExists`, or DataTaken, when another attempt was faster. */
  create(admitted: Admitted): Promise<Made>;
  /** Returns what was created. Throws ApiError with the code `notFound`. */
  get(id: string): Promise<Made>;
  readonly notFound: RequestErrorCode;
}

/** Outcome of a request. */
export interface RequestOutcome<Made> {
  readonly made: Made;
  /** Whether another attempt created it. */
  readonly found: boolean;
  /** Whether the same request was sent before. */
  readonly replayed: boolean;
}

/**
 * Carries out a request once, however often and wherever it is sent with the same Idempotency-Key. The id is stored
 * before anything is created, so that a retry after a crash creates it under the same id. Throws ApiError
 * `idempotency_key_reused` for another body.
 */
export async function requestOnce<Admitted extends { readonly id: string }, Made>(
  requests: RequestRecords,
  { identity, bodySha256 }: KnownRequest,
  steps: RequestSteps<Admitted, Made>,
): Promise<RequestOutcome<Made>> {
  const known = await requests.find(identity);
  if (known) return repeat(steps, sameRequest(known, bodySha256));
  let admitted: Admitted;
  try {
    admitted = await steps.admit();
  } catch (error) {
    // Another attempt may have used up the quota.
    const isFull = error instanceof ApiError && error.code === 'too_many_jobs';
    const other = isFull ? await requests.find(identity) : undefined;
    if (other) return repeat(steps, sameRequest(other, bodySha256));
    throw error;
  }
  const counting = await requests.claim(identity, { bodySha256, id: admitted.id });
  if (counting.id !== admitted.id) return repeat(steps, sameRequest(counting, bodySha256));
  // The key belongs to this attempt, even when another attempt finds the record and creates what it asks for.
  return { ...(await createOrFind(steps, admitted)), replayed: false };
}

/** Returns the outcome of an earlier attempt; creates it under that id when that attempt, or its gateway, did not. */
async function repeat<Admitted extends { readonly id: string }, Made>(
  steps: RequestSteps<Admitted, Made>,
  id: string,
): Promise<RequestOutcome<Made>> {
  const made = await find(steps, id);
  if (made) return { ...made, replayed: true };
  return { ...(await createOrFind(steps, await steps.admit(id))), replayed: true };
}

type Found<Made> = Omit<RequestOutcome<Made>, 'replayed'>;

async function createOrFind<Admitted extends { readonly id: string }, Made>(
  steps: RequestSteps<Admitted, Made>,
  admitted: Admitted,
): Promise<Found<Made>> {
  try {
    return { made: await steps.create(admitted), found: false };
  } catch (error) {
    const isOutrun = isApiError(error, 'AlreadyExists') || error instanceof DataTaken;
    const found = isOutrun ? await find(steps, admitted.id) : undefined;
    if (found) return found;
    throw error;
  }
}

async function find<Made>(
  { get, notFound }: Pick<RequestSteps<never, Made>, 'get' | 'notFound'>,
  id: string,
): Promise<Found<Made> | undefined> {
  try {
    return { made: await get(id), found: true };
  } catch (error) {
    if (error instanceof ApiError && error.code === notFound) return undefined;
    throw error;
  }
}

/** Returns the id of the record when it belongs to the same request. */
function sameRequest(record: RequestRecord, bodySha256: string): string {
  if (record.bodySha256 === bodySha256) return record.id;
  const message =
    'The Idempotency-Key was sent before with another body. Send each new request with a key of its own; a key is kept for 24 hours.';
  throw new ApiError('idempotency_key_reused', message);
}
