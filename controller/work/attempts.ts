import type { ControllerConfig } from '../config.ts';
import type { DocumentFailure } from '@trifold/platform/errors/document-error.ts';

/**
 * Number of lost attempts after which a document fails. The first loss may be caused by another document in the same
 * renderer. After that, the document runs alone, so it causes the next two losses itself.
 */
export const MAX_LOST_ATTEMPTS = 3;

/**
 * Maximum number of attempts for a document after the object store fails to store its file or load its data. With the
 * default delay, a document survives an outage or a full store for 30 seconds.
 */
export const OUTAGE_ATTEMPTS = 6;

const LOST_MESSAGE =
  'three renderers stopped while rendering this document, which probably needs more memory than a renderer has: use less data or smaller images, or give renderers more memory';

type AttemptConfig = Pick<ControllerConfig, 'renderAttempts' | 'retryDelayMs'>;

/** A document's attempts so far. */
export interface Attempts {
  /** Number of the current attempt, starting at 1. */
  readonly attempt: number;
  /** Number of earlier attempts lost together with their renderer. */
  readonly lostAttempts: number;
}

/**
 * Returns the milliseconds between the failure of the current attempt and the start of the next. Undefined if there is
 * no next attempt: the failure is not retryable, or the limit is reached. Lost attempts have their own limit and do not
 * count toward the limit for other failures.
 */
export function retryDelay(
  failure: DocumentFailure,
  { attempt, lostAttempts }: Attempts,
  { renderAttempts, retryDelayMs }: AttemptConfig,
): number | undefined {
  if (!failure.retryable) return undefined;
  const enough = isOfLostRenderer(failure)
    ? lostAttempts + 1 >= MAX_LOST_ATTEMPTS
    : attempt - lostAttempts >=
      (isOfStore(failure) ? Math.max(renderAttempts, OUTAGE_ATTEMPTS) : renderAttempts);
  return enough ? undefined : retryDelayMs * 2 ** (attempt - 1);
}

/** Returns the counts of the attempt that follows this failure. */
export function nextAttempt(failure: DocumentFailure, { attempt, lostAttempts }: Attempts): Attempts {
  return { attempt: attempt + 1, lostAttempts: lostAttempts + (isOfLostRenderer(failure) ? 1 : 0) };
}

/** Returns the failure that is reported when a document gets no more attempts. */
export function finalFailure(failure: DocumentFailure): DocumentFailure {
  return isOfLostRenderer(failure) ? { ...failure, message: LOST_MESSAGE } : failure;
}

/** Whether the attempt ended with its renderer, which may have stored the file first. */
export function isOfLostRenderer({ code }: DocumentFailure): boolean {
  return code === 'renderer_lost';
}

function isOfStore({ code }: DocumentFailure): boolean {
  return code === 'store_unavailable' || code === 'store_no_space';
}
