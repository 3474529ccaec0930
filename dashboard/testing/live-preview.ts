import type { CDPSession, Page } from 'puppeteer-core';

/**
 * Resolves with the number of milliseconds from the next keystroke until the preview shows a new image of the first
 * page. The text layers follow later.
 */
const NEXT_PAGE = `new Promise((resolve) => {
  let pressed;
  addEventListener('keydown', () => (pressed = performance.now()), { capture: true, once: true });
  const observer = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    if (!added.some(({ nodeName }) => nodeName === 'CANVAS')) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - pressed));
  });
  observer.observe(document.querySelector('.preview_page'), { childList: true });
})`;

/** Types a character in the focused editor. Resolves with the number of milliseconds until its page is on screen. */
export async function previewOf(page: Page, character: string): Promise<number> {
  const shown = page.evaluate(NEXT_PAGE);
  // Returns once the observer is waiting.
  await page.evaluate('0');
  await page.keyboard.type(character);
  return Number(await shown);
}

/** Resources that an open editor uses. */
export interface EditorUsage {
  /** JavaScript heaps of the page and of its workers after a garbage collection, in MiB. */
  readonly heapMiB: number;
  /** Number of the browser's pages and workers. */
  readonly targets: number;
}

/** Measures the resources of an open editor. */
export async function usageOf(page: Page): Promise<EditorUsage> {
  const session = await page.createCDPSession();
  let bytes = await heapBytes(session);
  await session.detach();
  for (const { client } of page.workers()) bytes += await heapBytes(client);
  return { heapMiB: bytes / 2 ** 20, targets: page.browser().targets().length };
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}
