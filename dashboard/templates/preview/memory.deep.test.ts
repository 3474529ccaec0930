import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { previewOf, usageOf, type EditorUsage } from '../../testing/live-preview.ts';
import { client, Dashboard, service } from '../../testing/dashboard.ts';

const SETTLED = 100;
const PREVIEWS = 500;
const MAX_GROWTH = 1.05;

let dashboard: Dashboard;
beforeEach(async () => {
  // V8 keeps compiling hot functions long after 100 previews. Without machine code, only the rest of the heap is
  // measured.
  dashboard = await Dashboard.open(service.url, '--js-flags=--jitless');
});
afterEach(async () => dashboard.close());

it(
  'An editor uses little more memory after 500 previews than after 100',
  async () => {
    const { page } = dashboard;
    const { id } = await client.templates.create({ name: 'Letter', html: '<h1>Letter</h1>\n' });
    await dashboard.signIn(service.liveKey, `/templates/${id}`);
    await page.waitForSelector('.preview_page canvas');
    await page.locator('.cm-content').click();
    let settled: EditorUsage | undefined;
    for (let count = 1; count <= PREVIEWS; count += 1) {
      await previewOf(page, count % 2 === 0 ? 'a' : ' ');
      if (count === SETTLED) settled = await linkedUsageOf(page);
    }
    const last = await linkedUsageOf(page);
    expect(last.targets).toBeLessThanOrEqual(settled!.targets * MAX_GROWTH);
    expect(last.heapMiB).toBeLessThanOrEqual(settled!.heapMiB * MAX_GROWTH);
  },
  // Each preview is a request.
  1_200_000,
);

/** Memory once the pages are linked with their source: the link loads after the preview, never during typing. */
async function linkedUsageOf(page: Page): Promise<EditorUsage> {
  await page.waitForFunction("CSS.highlights.has('source')");
  return usageOf(page);
}
