import { useEffect } from 'preact/hooks';

const FIRST_MS = 1000;
/** Longest pause while the service is away: its error goes soon after the service is back. */
export const OUTAGE_MS = 3000;

/**
 * Loads something again and again while it changes by itself: after a second, later less often. `maxMs`: longest
 * pause.
 */
export function useReloadWhile(changes: boolean, reload: () => void, maxMs = 15_000): void {
  useEffect(() => {
    if (!changes) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const plan = (delay: number) => {
      timer = setTimeout(() => {
        if (!document.hidden) reload();
        plan(Math.min(delay * 1.5, maxMs));
      }, delay);
    };
    plan(FIRST_MS);
    return () => clearTimeout(timer);
  }, [changes, reload, maxMs]);
}
