import { Script } from 'node:vm';

/** What every request says, beside what is asked. */
export interface BoundedRequest {
  /** Milliseconds the answer may take. */
  readonly timeoutMs: number;
}

/**
 * The parent kills the process when an answer takes too long; should the parent itself be gone by then, the time
 * limit of the script ends it instead. A parent that was busy is late, and must not find that the process has ended.
 */
const ORPHAN_GRACE_MS = 10_000;
const RUN = '__trifoldAnswer';

/**
 * Answers the parent's requests, one after another, until it goes. Called once, by the module of a BoundedChild; a
 * request is a BoundedRequest of whatever kind the parent sends.
 */
export function serveParent(answer: (request: never) => object): void {
  let current: BoundedRequest | undefined;
  Object.defineProperty(globalThis, RUN, { value: () => answer(current as never) });
  const script = new Script(`${RUN}()`);
  process.on('message', (request: BoundedRequest) => {
    current = request;
    process.send?.(script.runInThisContext({ timeout: request.timeoutMs + ORPHAN_GRACE_MS }));
    current = undefined;
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C and service managers signal the whole group; what is in hand is finished first, and the parent says when.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.send?.({ status: 'ready' });
}
