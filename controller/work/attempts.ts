import type { RenderFailure } from '@trifold/platform/render-queue/port.ts';
import type { ControllerConfig } from '../config.ts';

/**
 * Lost attempts that fail a document. The first may be the fault of another document in the same renderer. After it
 * the document runs alone, so two further losses are its own.
 */
const MAX_LOST_ATTEMPTS = 3;

const LOST_MESSAGE =
  'the renderer ended three times while it rendered this document, the last two times with no other document in ' +
  'progress; the document probably needs more memory than a renderer has: make it smaller, or give renderers more memory';

type AttemptConfig = Pick<ControllerConfig, 'renderAttempts' | 'retryDelayMs'>;

/** What a document has behind it. */
export interface Attempts {
  /** Number of the current attempt, from 1. */
  readonly attempt: number;
  /** Earlier attempts that ended with their renderer. */
  readonly lostAttempts: number;
}

/**
 * Milliseconds from the failure of the current attempt until the next one begins. Undefined when there is none: another
 * would fail as well, or there have been enough. Lost attempts have a limit of their own and leave the others to other
 * failures.
 */
export function retryDelay(
  failure: RenderFailure,
  { attempt, lostAttempts }: Attempts,
  { renderAttempts, retryDelayMs }: AttemptConfig,
): number | undefined {
  if (!failure.retryable) return undefined;
  const enough = isOfLostRenderer(failure)
    ? lostAttempts + 1 >= MAX_LOST_ATTEMPTS
    : attempt - lostAttempts >= renderAttempts;
  return enough ? undefined : retryDelayMs * 2 ** (attempt - 1);
}

/** The counts of the attempt that follows this failure. */
export function nextAttempt(failure: RenderFailure, { attempt, lostAttempts }: Attempts): Attempts {
  return { attempt: attempt + 1, lostAttempts: lostAttempts + (isOfLostRenderer(failure) ? 1 : 0) };
}

/** The failure as a document shows it that gets no further attempt. */
export function finalFailure(failure: RenderFailure): RenderFailure {
  return isOfLostRenderer(failure) ? { ...failure, message: LOST_MESSAGE } : failure;
}

/** Whether the attempt ended with its renderer, which may have stored the file before. */
export function isOfLostRenderer({ code }: RenderFailure): boolean {
  return code === 'renderer_lost';
}

/** Lost attempts as a member of a status, where no member means none. */
export function lostAttemptsOf({ lostAttempts }: Pick<Attempts, 'lostAttempts'>): { lostAttempts?: number } {
  return lostAttempts > 0 ? { lostAttempts } : {};
}
