import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import { RunningAccounts } from '@trifold/platform/scheduling/running-accounts.ts';
import { BOUNDS } from '@trifold/platform/service/bounds.ts';

/**
 * Returns the renderer with a limit on the previews in flight, which must not delay documents for long, and one more for
 * an account that has none in flight. A preview over the limit is `busy` at once.
 */
export function limitedPreviews(
  render: PreviewRenderer['render'],
  mostPreviews: number = BOUNDS.renderedPreviews.limit.value,
): PreviewRenderer {
  const inFlight = new RunningAccounts();
  return {
    async render(task, signal) {
      const { account } = task;
      if (!inFlight.fits(account, mostPreviews)) return { status: 'busy' };
      inFlight.add(account);
      try {
        return await render(task, signal);
      } finally {
        inFlight.remove(account);
      }
    },
  };
}
