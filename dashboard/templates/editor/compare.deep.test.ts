import { TrifoldClient } from '@trifold/client';
import { afterEach, beforeEach, describe, inject, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { Dashboard } from '../../testing/dashboard.ts';

const service = inject('service');
const client = new TrifoldClient({ baseUrl: service.url, apiKey: service.liveKey });

let dashboard: Dashboard;
beforeEach(async () => {
  dashboard = await Dashboard.open();
});
afterEach(async () => dashboard.close());

const pages = (heading: string) =>
  `<h1>${heading} {{name}}</h1>${'<p style="break-before: page">{{name}}</p>'.repeat(4)}`;

/** Waits until the text of a side of the comparison contains something. */
const sideShows = async (label: string, text: string) =>
  dashboard.page.waitForFunction(
    `document.querySelector('.preview_result[aria-label="${label}"] .preview_pageText')?.textContent.includes('${text}')`,
  );

const scrolledAlike = `(([left, right]) => left.scrollTop > 100 && Math.abs(left.scrollTop - right.scrollTop) < 2)(
  document.querySelectorAll('.preview_pages'))`;

describe('The comparison in the editor', () => {
  it('prints the published version beside the draft, with the same data and scrolled alike', async () => {
    const { id } = await client.templates.create({ name: 'Letter', html: pages('Old') });
    await client.templates.saveSamples(id, [{ name: 'Ada', data: { name: 'Ada' } }]);
    await client.templates.publish(id, 1);
    await client.templates.update(id, { html: pages('Saved') });
    await dashboard.signIn(service.liveKey, `/templates/${id}`);
    await dashboard.shows('Version 2');
    await dashboard.page.locator('.cm-content').fill(pages('New'));
    await dashboard.press('Compare with the version in force');
    await sideShows('Version 1, in force', 'Old Ada');
    await sideShows('In the editor', 'New Ada');

    const { page } = dashboard;
    await dashboard.press('Zoom in');
    // Pages get their size from the zoom in their own time, which may move a view that has scrolled before.
    await eventually(async () => {
      await page.$eval('.preview_pages', (view) => view.scrollTo(0, 0));
      await page.$eval('.preview_pages', (view) => view.scrollTo(0, view.scrollHeight / 2));
      await page.waitForFunction(scrolledAlike, { timeout: 1000 });
    });
    await dashboard.expectAccessible();
    await page.setViewport({ width: 390, height: 844 });
    await dashboard.press('Preview');
    await page.waitForFunction(
      `(([upper, lower]) => upper.getBoundingClientRect().bottom <= lower.getBoundingClientRect().top)(document.querySelectorAll('.preview_pages'))`,
    );
    await dashboard.screenshots('editor-compare');

    await dashboard.press('Compare with the version in force');
    await page.waitForFunction(`document.querySelectorAll('.preview_pages').length === 1`);
  });
});
