import { useEffect } from 'preact/hooks';

const FIRST_MS = 1000;
/** Maximum pause while the service is unavailable. It makes the error disappear soon after the service recovers. */
export const OUTAGE_MS = 3000;

/** Reloads a resource while it is still changing: after a second, then less often. `maxMs`: maximum pause. */
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
