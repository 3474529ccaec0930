import type { Page } from 'puppeteer-core';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';
import { rounded } from './measurement/report.ts';
import { percentile } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

/** Previews after which the memory is compared. */
const SETTLED = 100;

/** Resolves with the milliseconds from the next keystroke until the preview shows a new page. */
const NEXT_PAGE = `new Promise((resolve) => {
  let pressed;
  addEventListener('keydown', () => (pressed = performance.now()), { capture: true, once: true });
  const observer = new MutationObserver(() => {
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - pressed));
  });
  observer.observe(document.querySelector('.pdf-pages'), { childList: true, subtree: true });
})`;

/**
 * Measures the live preview of the dashboard in a real browser: the example invoice in the editor, one keystroke after
 * the other, each until its page is on the screen. `previews`: number of keystrokes.
 */
export async function benchPreview(invoice: Invoice, previews: number): Promise<void> {
  const service = await StandaloneService.start([process.execPath, 'standalone/main.ts']);
  const browser = await launchBrowser();
  try {
    const page = await openEditor(await browser.newPage(), service, invoice);
    const latencies: number[] = [];
    let settled: Usage | undefined;
    for (let count = 1; count <= previews; count += 1) {
      const shown = page.evaluate(NEXT_PAGE);
      // Once the observer waits.
      await page.evaluate('0');
      await page.keyboard.type(count % 2 === 0 ? 'a' : ' ');
      latencies.push(Number(await shown));
      if (count === SETTLED) settled = await usageOf(page, service);
    }
    const sorted = latencies.slice(10).sort((a, b) => a - b);
    console.log(
      `keystroke to page: p50 ${rounded(percentile(sorted, 0.5))} ms, p95 ${rounded(percentile(sorted, 0.95))} ms (target < 300 ms)`,
    );
    console.log(`after ${SETTLED} previews:`, settled);
    console.log(`after ${previews} previews:`, await usageOf(page, service));
  } finally {
    await browser.close();
    await service.stop();
  }
}

interface Usage {
  /** JavaScript heap of the page after a garbage collection. */
  readonly heapMiB: number;
  /** Pages and workers of the person's browser. */
  readonly targets: number;
  /** Resident memory of the service. */
  readonly serviceMiB: number;
}

async function usageOf(page: Page, service: StandaloneService): Promise<Usage> {
  const session = await page.createCDPSession();
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return {
    heapMiB: rounded(usedSize / 2 ** 20),
    targets: page.browser().targets().length,
    serviceMiB: rounded((await service.residentBytes()) / 2 ** 20),
  };
}

async function openEditor(page: Page, { client }: StandaloneService, invoice: Invoice): Promise<Page> {
  const { displayName, html, css, schema } = invoice.template.spec;
  const template = { name: displayName, html, css, schema };
  const { id } = await client.call<{ id: string }>('POST', '/v1/templates', template);
  const samples = [{ name: 'Example', data: invoice.data }];
  await client.call('PUT', `/v1/templates/${id}/samples`, { samples });
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(`${client.url}/dashboard/templates/${id}`);
  await page.locator('input[name=key]').fill(client.key);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.pdf-pages canvas');
  await page.locator('.cm-content').click();
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  return page;
}
