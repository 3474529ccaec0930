import type { CDPSession, Page } from 'puppeteer-core';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';
import { rounded } from './measurement/report.ts';
import { percentile } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

/** Previews after which objects and targets may grow no further than MOST_GROWTH. */
const SETTLED = 100;
const MOST_GROWTH = 0.1;

/**
 * Resolves with the milliseconds from the next keystroke until the preview shows a new picture of the first page. The
 * texts over the pages come later.
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
  observer.observe(document.querySelector('.pdf-page'), { childList: true });
})`;

/**
 * Measures the live preview of the dashboard in a real browser: the example invoice in the editor, one keystroke after
 * the other, each until its page is on the screen. `previews`: number of keystrokes. The exit code is 1 when the
 * objects in the page's heap or the browser's targets grow by more than a tenth after the first hundred.
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
    const last = await usageOf(page, service);
    console.log(`after ${SETTLED} previews:`, settled);
    console.log(`after ${previews} previews:`, last);
    if (settled) checkGrowth(settled, last);
  } finally {
    await browser.close();
    await service.stop();
  }
}

interface Usage {
  /** JavaScript heap of the page after a garbage collection. It includes compiled code, which grows with use. */
  readonly heapMiB: number;
  /** Objects, closures, strings and arrays in it. */
  readonly objectsMiB: number;
  /** Pages and workers of the person's browser. */
  readonly targets: number;
  /** Resident memory of the service. */
  readonly serviceMiB: number;
}

function checkGrowth(settled: Usage, last: Usage): void {
  for (const measure of ['objectsMiB', 'targets'] as const) {
    const growth = last[measure] / settled[measure] - 1;
    console.log(`growth of ${measure}: ${rounded(growth * 100)} % (limit ${MOST_GROWTH * 100} %)`);
    if (growth > MOST_GROWTH) process.exitCode = 1;
  }
}

async function usageOf(page: Page, service: StandaloneService): Promise<Usage> {
  const session = await page.createCDPSession();
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const objects = await objectBytes(session);
  await session.detach();
  return {
    heapMiB: rounded(usedSize / 2 ** 20),
    objectsMiB: rounded(objects / 2 ** 20),
    targets: page.browser().targets().length,
    serviceMiB: rounded((await service.residentBytes()) / 2 ** 20),
  };
}

/** Parts of a heap snapshot that this reads. `nodes` has the values of `node_fields` for each node. */
interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
    };
  };
  readonly nodes: readonly number[];
}

/** Returns the bytes of the heap that are neither compiled code nor the browser's own. */
async function objectBytes(session: CDPSession): Promise<number> {
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as HeapSnapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    const name = types[0][nodes[at + type] ?? -1] ?? '';
    if (!['code', 'native'].includes(name)) bytes += nodes[at + size] ?? 0;
  }
  return bytes;
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
