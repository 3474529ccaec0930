import { Script } from 'node:vm';
import { isTied } from './tied-process.ts';

/** Fields common to all requests. */
export interface BoundedRequest {
  /** Time limit for the response, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * The parent kills the process when a response takes too long. If the parent has exited by then, the kernel ends the
 * process. Where the kernel does not, the script's time limit does; enforcing it takes a thread for every request,
 * which costs 0.3 ms. This grace period keeps the process alive if the parent is merely busy.
 */
const ORPHAN_GRACE_MS = 10_000;
const RUN = '__trifoldAnswer';

/**
 * Handles the parent's requests one at a time until the parent disconnects. Call once, in the module of a BoundedChild;
 * a request is any BoundedRequest that the parent sends.
 */
export function serveParent(response: (request: never) => object): void {
  let current: BoundedRequest | undefined;
  Object.defineProperty(globalThis, RUN, { value: () => response(current as never) });
  const script = new Script(`${RUN}()`);
  const run = ({ timeoutMs }: BoundedRequest): object =>
    script.runInThisContext(isTied() ? {} : { timeout: timeoutMs + ORPHAN_GRACE_MS });
  process.on('message', (request: BoundedRequest) => {
    current = request;
    process.send?.(run(request));
    current = undefined;
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C and service managers signal the whole process group. The current request must finish first, and the parent
  // decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.send?.({ status: 'ready' });
}
