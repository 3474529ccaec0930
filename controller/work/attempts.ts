import type { ControllerConfig } from '../config.ts';
import type { DocumentFailure } from '@trifold/platform/errors/document-error.ts';

/**
 * Lost attempts after which a document fails. The first loss may be the fault of another document in the same renderer.
 * After it the document runs alone, so two further losses are its own.
 */
export const MAX_LOST_ATTEMPTS = 3;

/**
 * Attempts of a document whose file or data the object store did not take or give: with the default delay, it outlives
 * 30 seconds in which the store is away or full.
 */
export const OUTAGE_ATTEMPTS = 6;

const LOST_MESSAGE =
  'three renderers stopped while rendering this document, the last two with no other document in ' +
  'progress; the document probably needs more memory than a renderer has: use less data or smaller images, or give renderers more memory';

type AttemptConfig = Pick<ControllerConfig, 'renderAttempts' | 'retryDelayMs'>;

/** Attempts of a document so far. */
export interface Attempts {
  /** Number of the current attempt, from 1. */
  readonly attempt: number;
  /** Earlier attempts that ended with their renderer. */
  readonly lostAttempts: number;
}

/**
 * Returns the milliseconds from the failure of the current attempt until the next one begins. Undefined when there is
 * no next attempt: the failure is not retryable, or the limit is reached. Lost attempts have their own limit and do not
 * count towards the limit of other failures.
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

/** Returns the failure that a document shows when it gets no further attempt. */
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
