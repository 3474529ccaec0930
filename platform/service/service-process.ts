import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from './config.ts';
import type { Logger } from './logging.ts';

/** What an order to stop does not wait for any longer. */
export interface StopOptions {
  /** The process ends this long after the signal, whatever hangs. Milliseconds. */
  readonly withinMs: number;
}

/** Left open by something that has nothing to do any more, a connection may not keep the process. */
const LINGER_MS = 1_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

/**
 * Runs a service until `main` resolves. A wrong configuration or an address that is taken is told in words, other
 * failures with their stack; the exit code is 1 then.
 */
export async function runService(name: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.exitCode = 1;
    const told = error instanceof ConfigError || isAddressError(error);
    const text = told ? (error as Error).message : ((error as Error).stack ?? String(error));
    process.stderr.write(`${name}: ${text}\n`);
  }
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** Aborts on the first SIGTERM or SIGINT. What goes wrong unseen is logged before it ends the process. */
export function stopSignal(logger: Logger, { withinMs }: StopOptions): AbortSignal {
  const stopping = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, withinMs).unref();
    stopping.abort(new Error(`stopped by ${signal}`));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'uncaught error'));
  return stopping.signal;
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  // The listeners of signals keep no process alive.
  const alive = setInterval(() => undefined, 60_000);
  await promise.finally(() => clearInterval(alive));
}

/**
 * Does the step again and again until it succeeds: what a service stands on may come later than the service.
 * Rejects with the signal's reason.
 */
export async function untilDone(
  what: string,
  step: () => Promise<void>,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      logger.warn({ err: error, what, retryMs: delayMs }, 'startup dependency unavailable, retrying');
    }
    await pause(delayMs, undefined, { signal });
  }
}

function isAddressError(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '');
}
