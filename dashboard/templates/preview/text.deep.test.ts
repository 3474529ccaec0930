import { TrifoldClient, type NewTemplate } from '@trifold/client';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Dashboard } from '../../testing/dashboard.ts';

const service = inject('service');
const client = new TrifoldClient({ baseUrl: service.url, apiKey: service.liveKey });

let dashboard: Dashboard;
beforeEach(async () => {
  dashboard = await Dashboard.open();
});
afterEach(async () => dashboard.close());

/** Opens the editor of a new template and waits for the text of its first page. */
async function edit(template: Partial<NewTemplate>): Promise<void> {
  const { id } = await client.templates.create({ name: 'Letter', html: '<p>Letter</p>', ...template });
  await dashboard.signIn(service.liveKey, `/templates/${id}`);
  await dashboard.page.waitForSelector('.preview_pageText span');
}

/** Selects the word in the middle of a text of the page by a double click. */
async function selectWord(text: string): Promise<string> {
  await dashboard.page.locator(`.preview_pageText ::-p-text(${text})`).click({ count: 2 });
  return String(await dashboard.page.evaluate('getSelection().toString().trim()'));
}

describe('The text of PDF previews', () => {
  it('is over the picture, can be selected and found, and is without the watermark', async () => {
    await edit({ html: '<p>First</p><p style="position: absolute; top: 40%">Below the watermark</p>' });
    expect(await selectWord('watermark')).toBe('watermark');
    const text = String(await dashboard.page.$eval('.preview_pageText', ({ textContent }) => textContent));
    expect(text.replaceAll(/\s+/g, ' ')).toBe('FirstBelow the watermark');
    await dashboard.press('Zoom in');
    expect(await selectWord('First')).toBe('First');
    await dashboard.expectAccessible();
  });
});
