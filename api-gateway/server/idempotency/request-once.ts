import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { DataTaken } from '../../work/admission/first-data.ts';
import type { RequestIdentity, RequestRecord, RequestRecords } from './request-records.ts';

/** What a request with an Idempotency-Key is known by. */
export interface KnownRequest {
  readonly identity: RequestIdentity;
  /** Of the body, the same however its members are ordered. */
  readonly bodySha256: string;
}

/** How a request is carried out. */
export interface RequestSteps<Accepted extends { readonly id: string }, Made> {
  /**
   * Checks the request and draws the id of what it makes, unless an earlier sending has. A request that is refused here
   * does not use its key up, unless an earlier sending has.
   */
  accept(earlierId?: string): Promise<Accepted>;
  /** Makes it. Rejects with KubernetesApiError `AlreadyExists`, or DataTaken, when another sending was faster. */
  create(accepted: Accepted): Promise<Made>;
  /** What was made. Throws ApiError with the code `notFound`. */
  get(id: string): Promise<Made>;
  readonly notFound: ErrorCode;
}

/** What came of a request. */
export interface RequestOutcome<Made> {
  readonly made: Made;
  /** Whether another sending made it. */
  readonly found: boolean;
  /** Whether the same request was sent before. */
  readonly replayed: boolean;
}

/**
 * Carries a request out once, however often and wherever it is sent with the same Idempotency-Key. What the key makes
 * is written down before it is made, so that a repetition after a crash in between makes it under the same id. Throws
 * ApiError `idempotency_key_reused` for another body.
 */
export async function requestOnce<Accepted extends { readonly id: string }, Made>(
  requests: RequestRecords,
  { identity, bodySha256 }: KnownRequest,
  steps: RequestSteps<Accepted, Made>,
): Promise<RequestOutcome<Made>> {
  const known = await requests.find(identity);
  if (known) return repeat(steps, sameRequest(known, bodySha256));
  let accepted: Accepted;
  try {
    accepted = await steps.accept();
  } catch (error) {
    const other = await acceptedMeanwhile(requests, identity, error);
    if (other) return repeat(steps, sameRequest(other, bodySha256));
    throw error;
  }
  const counting = await requests.claim(identity, { bodySha256, id: accepted.id });
  if (counting.id !== accepted.id) return repeat(steps, sameRequest(counting, bodySha256));
  // It is this sending that the key belongs to, also when another one finds the record and makes what it asks for.
  return { ...(await createOrFind(steps, accepted)), replayed: false };
}

/** What came of an earlier sending; makes it under that id when that sending, or its gateway, did not come to it. */
async function repeat<Accepted extends { readonly id: string }, Made>(
  steps: RequestSteps<Accepted, Made>,
  id: string,
): Promise<RequestOutcome<Made>> {
  const made = await find(steps, id);
  if (made) return { ...made, replayed: true };
  return { ...(await createOrFind(steps, await steps.accept(id))), replayed: true };
}

type Found<Made> = Omit<RequestOutcome<Made>, 'replayed'>;

async function createOrFind<Accepted extends { readonly id: string }, Made>(
  steps: RequestSteps<Accepted, Made>,
  accepted: Accepted,
): Promise<Found<Made>> {
  try {
    return { made: await steps.create(accepted), found: false };
  } catch (error) {
    const isOutrun = isApiError(error, 'AlreadyExists') || error instanceof DataTaken;
    const found = isOutrun ? await find(steps, accepted.id) : undefined;
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

/** The record of another sending of the request, when this one finds no room because that one has taken it. */
async function acceptedMeanwhile(
  requests: RequestRecords,
  identity: RequestIdentity,
  refusal: unknown,
): Promise<RequestRecord | undefined> {
  return refusal instanceof ApiError && refusal.code === 'too_many_jobs'
    ? requests.find(identity)
    : undefined;
}

/** The id that the record gives, when it is the same request that is sent again. */
function sameRequest(record: RequestRecord, bodySha256: string): string {
  if (record.bodySha256 === bodySha256) return record.id;
  const message =
    'The Idempotency-Key was sent before with another body. Send each new request with a key of its own; a key is kept for 24 hours.';
  throw new ApiError('idempotency_key_reused', message);
}
