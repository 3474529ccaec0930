import { TrifoldClient } from '@trifold/client';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Dashboard } from '../../testing/dashboard.ts';

const service = inject('service');
const client = new TrifoldClient({ baseUrl: service.url, apiKey: service.liveKey });

let dashboard: Dashboard;
beforeEach(async () => {
  dashboard = await Dashboard.open();
});
afterEach(async () => dashboard.close());

/** Opens the preview of a new template. */
async function preview(template: { html: string; css?: string }): Promise<void> {
  const { id } = await client.templates.create({ name: 'Preview', ...template });
  await dashboard.signIn(service.liveKey, `/templates/${id}/history`);
}

describe('The preview', () => {
  it('shows every page of a PDF', async () => {
    const html = Array.from(
      { length: 3 },
      (_, page) => `<h1 style="break-before: page">Page ${page + 1}</h1>`,
    );
    await preview({ html: html.join('') });
    await dashboard.shows('Page 1 of 3');
    await dashboard.page.waitForSelector('.pdf-page canvas');
    await dashboard.expectAccessible();
    await dashboard.screenshots('preview-pdf');
    expect(await dashboard.page.$$eval('.pdf-page', (pages) => pages.length)).toBe(3);
  });
});
