import type { Page } from 'puppeteer-core';
import { previewOf, usageOf, type EditorUsage } from '../../dashboard/testing/live-preview.ts';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';
import { BareLoop } from './measurement/bare-loop.ts';
import type { Pace } from './measurement/comparison.ts';
import { rounded } from './measurement/report.ts';
import { alternate, closedLoop, percentile } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const WARM_UP_MS = 2000;
/** Previews after which the growth of the heap and of the targets is measured. */
const SETTLED = 100;

/**
 * Measures the live preview of the dashboard in a real browser: the example invoice in the editor, one keystroke after
 * the other, each until its page is on the screen. `previews`: number of keystrokes. The growth of
 * the heap after the first hundred includes the machine code that V8 adds for what runs often:
 * dashboard/templates/preview/memory.deep.test.ts limits the rest.
 */
export async function benchPreview(invoice: Invoice, previews: number): Promise<void> {
  const service = await StandaloneService.start();
  const browser = await launchBrowser();
  try {
    const page = await openEditor(await browser.newPage(), service, invoice);
    const latencies: number[] = [];
    let settled: EditorUsage | undefined;
    for (let count = 1; count <= previews; count += 1) {
      latencies.push(await previewOf(page, count % 2 === 0 ? 'a' : ' '));
      if (count === SETTLED) settled = await usageOf(page);
    }
    const sorted = latencies.slice(10).sort((a, b) => a - b);
    console.log(
      `keystroke to page: p50 ${rounded(percentile(sorted, 0.5))} ms, p95 ${rounded(percentile(sorted, 0.95))} ms (target < 300 ms)`,
    );
    const last = await usageOf(page);
    console.log(`after ${SETTLED} previews:`, settled);
    console.log(`after ${previews} previews:`, last);
    if (settled) printGrowth(settled, last);
  } finally {
    await browser.close();
    await service.stop();
  }
}

function printGrowth(settled: EditorUsage, last: EditorUsage): void {
  for (const measure of ['heapMiB', 'targets'] as const) {
    console.log(`growth of ${measure}: ${rounded((last[measure] / settled[measure] - 1) * 100)} %`);
  }
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
  await page.waitForSelector('.preview_pages canvas');
  await page.locator('.cm-content').click();
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  return page;
}

/**
 * Measures `POST /v1/templates/preview` of the standalone service with one client, in alternation with the bare print
 * of the same document. Each preview has another html, as while someone types.
 */
export async function benchPreviewRoute(invoice: Invoice, { milliseconds, rounds }: Pace): Promise<void> {
  const bare = await BareLoop.open(1, 'drawn');
  const service = await StandaloneService.start();
  try {
    const print = async () => void (await bare.print(0, invoice));
    const preview = previewsOf(service, invoice);
    for (const work of [print, preview]) await closedLoop(1, WARM_UP_MS, work);
    const measured = await alternate(rounds, {
      printed: () => closedLoop(1, milliseconds, print),
      previewed: () => closedLoop(1, milliseconds, preview),
    });
    const printMs = percentile(measured.printed.latencies, 0.5);
    const previewMs = percentile(measured.previewed.latencies, 0.5);
    console.log(
      `preview p50 ${rounded(previewMs)} ms: bare print (${rounded(printMs)} ms) + ${rounded(previewMs - printMs)} ms (target ≤ 15 ms)`,
    );
  } finally {
    await Promise.all([bare.close(), service.stop()]);
  }
}

function previewsOf({ client }: StandaloneService, { template, data }: Invoice): () => Promise<void> {
  const { html = '', css, schema, defaultOptions } = template.spec;
  const default_options = { page_size: 'a4', margins: defaultOptions?.margins };
  let count = 0;
  return async () => {
    count += 1;
    const body = { html: `${html}<!-- ${count} -->`, css, schema, default_options, data };
    await client.send('POST', '/v1/templates/preview', body);
  };
}
