import { eventually } from '../../support/eventually.ts';
import { processorTimes } from '../measurement/processes.ts';

const WINDOW_MS = 5_000;
/** Share of one processor. */
const IDLE_SHARE = 0.3;
const DEADLINE_MS = 30 * 60_000;

/**
 * Resolves when all services together use little processor time: the API server has caught up with what was written
 * into etcd, and nothing is being worked on. Says so if they do not become idle.
 */
export async function untilIdle(): Promise<void> {
  const usedMs = () =>
    [...processorTimes()].reduce((sum, [kind, ms]) => (kind === 'load generator' ? sum : sum + ms), 0);
  let last = { atMs: performance.now(), usedMs: Infinity };
  const isIdle = () => {
    const now = { atMs: performance.now(), usedMs: usedMs() };
    const share = Math.abs(now.usedMs - last.usedMs) / (now.atMs - last.atMs);
    last = now;
    return share < IDLE_SHARE;
  };
  await eventually(isIdle, { timeoutMs: DEADLINE_MS, intervalMs: WINDOW_MS }).catch(() =>
    console.warn('the services did not become idle; the next figures are those of busy ones'),
  );
}
