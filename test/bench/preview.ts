import type { Page } from 'puppeteer-core';
import { previewOf, usageOf, type EditorUsage } from '../../dashboard/testing/live-preview.ts';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';
import { rounded } from './measurement/report.ts';
import { percentile } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

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

/** Opens the editor with a template and its data, and puts the cursor at the end. */
export async function openEditor(page: Page, { client }: StandaloneService, invoice: Invoice): Promise<Page> {
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
