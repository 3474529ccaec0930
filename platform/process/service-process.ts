import { systemClock } from '../async/clock.ts';
import type { Logger } from './logging.ts';
import { SetupError } from '../errors/trifold-error.ts';

/** Limits of a shutdown. */
export interface StopOptions {
  /** Maximum time from the signal to the end of the process, in milliseconds. */
  readonly timeoutMs: number;
}

/** After this time, a connection that was left open does not keep the process alive. */
const LINGER_MS = 1_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;

/**
 * Runs a service until `main` resolves. For a SetupError or an unusable address, writes only the error message; for
 * other failures, the stack. The exit code is then 1.
 */
export async function runService(name: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.exitCode = 1;
    const isExpected = error instanceof SetupError || isAddressError(error);
    const text = isExpected ? (error as Error).message : ((error as Error).stack ?? String(error));
    process.stderr.write(`${name}: ${text}\n`);
  }
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/**
 * Returns a signal that aborts on the first SIGTERM or SIGINT. Uncaught errors are logged before they end the process.
 */
export function stopSignal(logger: Logger, { timeoutMs }: StopOptions): AbortSignal {
  const stopping = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, timeoutMs).unref();
    stopping.abort(new Error(`stopped by ${signal}`));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'uncaught error'));
  return stopping.signal;
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  // Abort listeners do not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  await promise.finally(() => clearInterval(alive));
}

/**
 * Retries the step until it succeeds: a dependency may start later than the service. Rejects with the signal's reason.
 */
export async function untilDone(
  what: string,
  step: () => Promise<void>,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      logger.warn({ err: error, what, retryMs: delayMs }, 'startup dependency unavailable, retrying');
    }
    await systemClock.sleep(delayMs, signal);
  }
}

function isAddressError(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '');
}
