import { useEffect } from 'preact/hooks';

const FIRST_MS = 1000;
const LONGEST_MS = 15_000;

/** Loads something again and again while it changes by itself: after a second, later every 15 seconds. */
export function useReloadWhile(changes: boolean, reload: () => void): void {
  useEffect(() => {
    if (!changes) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const plan = (delay: number) => {
      timer = setTimeout(() => {
        if (!document.hidden) reload();
        plan(Math.min(delay * 1.5, LONGEST_MS));
      }, delay);
    };
    plan(FIRST_MS);
    return () => clearTimeout(timer);
  }, [changes, reload]);
}
