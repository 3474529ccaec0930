import { previewOf } from '../../dashboard/testing/live-preview.ts';
import type { Browser, Cookie, NetworkConditions, Page } from 'puppeteer-core';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';
import { rounded } from './measurement/report.ts';
import { percentile } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const NETWORKS: readonly (readonly [name: string, network: NetworkConditions | null, target: string])[] = [
  ['this machine', null, '< 800 ms'],
  ['1.6 Mbps, 150 ms', { download: 200_000, upload: 100_000, latency: 150 }, '< 5 s'],
  ['400 kbps, 150 ms', { download: 50_000, upload: 50_000, latency: 150 }, '< 16 s'],
];
const KEYS = 100;

/** Collects the time from each key press to the end of the frame that draws its character, in milliseconds. */
const GLYPHS = `(glyphs = [], addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => glyphs.push(performance.now() - timeStamp);
  port2.postMessage(0);
}), { capture: true }))`;

/**
 * Measures the dashboard's editor: the first page with an empty cache on three networks, and the time from a key press
 * to its character and to its page, for the example invoice and for one of 900 KB.
 */
export async function benchEditor(invoice: Invoice): Promise<void> {
  const service = await StandaloneService.start();
  const browser = await launchBrowser();
  try {
    const page = await openEditor(await browser.newPage(), service, invoice);
    await typed('invoice', page, '≤ 40, ≤ 200 ms');
    const cookies = await browser.defaultBrowserContext().cookies();
    for (const [name, network, target] of NETWORKS) {
      const measured = await firstPage(browser, cookies, page.url(), network);
      console.log(`first page, ${name}: ${rounded(measured)} ms (target ${target})`);
    }
    const { spec } = invoice.template;
    const html = `${spec.html}<!--${'Lorem ipsum dolor sit amet.\n'.repeat(32_000)}-->`;
    const large = { ...invoice, template: { ...invoice.template, spec: { ...spec, html } } };
    const context = await browser.createBrowserContext();
    await typed('900 KB', await openEditor(await context.newPage(), service, large), '≤ 50 ms, ≤ 3 s');
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function firstPage(
  browser: Browser,
  cookies: readonly Cookie[],
  address: string,
  network: NetworkConditions | null,
) {
  const context = await browser.createBrowserContext();
  await context.setCookie(...cookies);
  const page = await context.newPage();
  await page.emulateNetworkConditions(network);
  const start = performance.now();
  await page.goto(address, { timeout: 120_000, waitUntil: 'domcontentloaded' });
  await page.waitForSelector('.preview_pages canvas', { timeout: 120_000 });
  const elapsed = performance.now() - start;
  await context.close();
  return elapsed;
}

async function typed(name: string, page: Page, target: string): Promise<void> {
  await page.evaluate(GLYPHS);
  const pages: number[] = [];
  for (let count = 0; count < KEYS; count += 1)
    pages.push(await previewOf(page, count % 2 === 0 ? 'a' : ' '));
  const glyphs = (await page.evaluate('glyphs')) as number[];
  const spread = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return `p50 ${rounded(percentile(sorted, 0.5))} ms, p95 ${rounded(percentile(sorted, 0.95))} ms`;
  };
  console.log(
    `${name}: key to character ${spread(glyphs)}; key to page ${spread(pages)} (target p95 ${target})`,
  );
}

/** Opens the editor with a template and its data, and puts the cursor at the end. */
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
