import type { RenderFailure } from '@trifold/platform/render-queue/port.ts';
import type { ControllerConfig } from '../config.ts';

/**
 * Attempts in all when renderers end with the document in hand. They take along whatever they hold, so most such
 * documents have not done it; one that has must not end every renderer there is, or every start of the service.
 */
const MOST_LOST_ATTEMPTS = 5;

type AttemptConfig = Pick<ControllerConfig, 'renderAttempts' | 'retryDelayMs'>;

/**
 * Milliseconds from the failure of this attempt, counted from 1, until the next one begins. Undefined when there is
 * none: another would fail as well, or there have been enough.
 */
export function retryDelay(
  failure: RenderFailure,
  attempt: number,
  config: AttemptConfig,
): number | undefined {
  if (!failure.retryable || attempt >= attemptsFor(failure, config)) return undefined;
  return config.retryDelayMs * 2 ** (attempt - 1);
}

/** Whether the attempt ended with its renderer, which may have stored the file before. */
export function isOfLostRenderer({ code }: RenderFailure): boolean {
  return code === 'renderer_lost';
}

function attemptsFor(failure: RenderFailure, { renderAttempts }: AttemptConfig): number {
  return isOfLostRenderer(failure) ? Math.max(renderAttempts, MOST_LOST_ATTEMPTS) : renderAttempts;
}
