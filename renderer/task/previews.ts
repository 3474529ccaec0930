import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';

/**
 * Maximum number of previews in flight. They share the browsers with documents, first come, first served, and must not
 * delay them for long.
 */
export const MOST_PREVIEWS = 16;

/** Returns the renderer with a limit on the previews in flight. A preview over the limit is `busy` at once. */
export function limitedPreviews(
  render: PreviewRenderer['render'],
  mostPreviews = MOST_PREVIEWS,
): PreviewRenderer {
  let inFlight = 0;
  return {
    async render(task, signal) {
      if (inFlight >= mostPreviews) return { status: 'busy' };
      inFlight += 1;
      try {
        return await render(task, signal);
      } finally {
        inFlight -= 1;
      }
    },
  };
}
