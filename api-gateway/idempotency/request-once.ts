import { isApiError } from '@trifold/platform/kubernetes/api-error.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RequestIdentity, RequestRecord, RequestRecords } from './request-records.ts';

/** What a request with an Idempotency-Key is known by. */
export interface KnownRequest {
  readonly identity: RequestIdentity;
  /** Of the body, the same however its members are ordered. */
  readonly bodySha256: string;
}

/** How a request is carried out. */
export interface RequestSteps<Accepted extends { readonly id: string }, Outcome> {
  /** Checks the request and draws the id of what it makes. A request that is refused here does not use its key up. */
  accept(): Promise<Accepted>;
  /** Makes it. Rejects with KubernetesApiError `AlreadyExists` when another sending found the record and was faster. */
  run(accepted: Accepted): Promise<Outcome>;
  /** What came of an earlier sending; makes it under that id when that sending, or its gateway, did not come to it. */
  repeat(id: string): Promise<Outcome>;
}

/**
 * Carries a request out once, however often and wherever it is sent with the same Idempotency-Key. What the key makes
 * is written down before it is made, so that a repetition after a crash in between makes it under the same id. Throws
 * ApiError `idempotency_key_reused` for another body.
 */
export async function requestOnce<Accepted extends { readonly id: string }, Outcome>(
  requests: RequestRecords,
  { identity, bodySha256 }: KnownRequest,
  steps: RequestSteps<Accepted, Outcome>,
): Promise<{ outcome: Outcome; replayed: boolean }> {
  const repeat = async (id: string) => ({ outcome: await steps.repeat(id), replayed: true });
  const known = await requests.find(identity);
  if (known) return repeat(sameRequest(known, bodySha256));
  let accepted: Accepted;
  try {
    accepted = await steps.accept();
  } catch (error) {
    const other = await acceptedMeanwhile(requests, identity, error);
    if (other) return repeat(sameRequest(other, bodySha256));
    throw error;
  }
  const counting = await requests.claim(identity, { bodySha256, id: accepted.id });
  if (counting.id !== accepted.id) return repeat(sameRequest(counting, bodySha256));
  try {
    return { outcome: await steps.run(accepted), replayed: false };
  } catch (error) {
    // It is this sending that the key belongs to, although another one made what it asks for.
    if (isApiError(error, 'AlreadyExists'))
      return { outcome: await steps.repeat(accepted.id), replayed: false };
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
