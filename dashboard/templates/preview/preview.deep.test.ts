import type { NewTemplate } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { E_INVOICE } from '../../../test/support/e-invoice.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { client, service } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

/** Opens the preview of a new template with one version per content. The last one is shown. */
async function preview(...contents: Partial<NewTemplate>[]): Promise<void> {
  const [first, ...changes] = contents;
  const { id } = await client.templates.create({ name: 'Preview', html: '<p>empty</p>', ...first });
  for (const change of changes) await client.templates.update(id, change);
  await dashboard.signIn(service.liveKey, `/templates/${id}/history`);
  await dashboard.page.waitForSelector('.preview_pane[aria-busy=false] .preview_view > :not(.preview_empty)');
}

/** Selects a version and waits for its preview. */
async function select(version: number): Promise<void> {
  const { page } = dashboard;
  await page.locator(`.history-page_versions a[href$="version=${version}"]`).click();
  await page.waitForSelector(`.history-page_versions a[href$="version=${version}"][aria-current]`);
}

/** Text of the frame, once it has a matching element. */
async function textInFrame(selector: string): Promise<string> {
  const frame = await dashboard.page.waitForFrame((each) => each.url().endsWith('/dashboard/frame'));
  const element = await frame.waitForSelector(selector);
  return (await element?.evaluate(({ textContent }) => textContent)) ?? '';
}

const pages = (count: number, heading: string) =>
  Array.from(
    { length: count },
    (_, page) => `<h1 style="break-before: page">${heading} ${page + 1}</h1>`,
  ).join('');

const letter = (heading: string) =>
  `<h1>${heading} {{name}}</h1>${'<p style="break-before: page">{{name}}</p>'.repeat(4)}`;

/**
 * Waits until the text on one side of the comparison contains a string. In a cluster, an account's second preview is
 * the first one of another renderer, which has to start a browser for it.
 */
const sideShows = async (label: string, text: string) =>
  dashboard.page.waitForFunction(
    `document.querySelector('.preview_result[aria-label="${label}"] .preview_pageText')?.textContent.includes('${text}')`,
    { timeout: 90_000 },
  );

const scrolledAlike = `(([left, right]) => left.scrollTop > 100 && Math.abs(left.scrollTop - right.scrollTop) < 2)(
  document.querySelectorAll('.preview_pages'))`;

describe('The preview', () => {
  it('shows a long PDF at any size and draws only the pages near the visible area', async () => {
    await preview({ html: pages(30, 'Chapter') });
    await dashboard.shows('Page 1 of 30');
    const { page } = dashboard;
    await page.waitForSelector('.preview_page canvas');
    expect(await page.$$('.preview_page')).toHaveLength(30);
    const width = async () => page.$eval('.preview_page', ({ clientWidth }) => clientWidth);
    const fitting = await width();
    await dashboard.press('Zoom in');
    expect(await width()).toBeGreaterThan(fitting);
    await dashboard.press('Fit width');
    expect(await width()).toBe(fitting);
    await dashboard.press('Fit page');
    expect(
      await page.$eval('.preview_pages', (view) => view.clientHeight - view.children[0]!.clientHeight),
    ).toBeGreaterThanOrEqual(0);
    await dashboard.press('Fit width');
    await page.$eval('.preview_pages', (view) => view.scrollTo(0, view.scrollHeight));
    await dashboard.shows('Page 30 of 30');
    await page.waitForSelector('.preview_page:last-child canvas');
    await page.waitForFunction(`!document.querySelector('.preview_page:first-child canvas')`);
    expect((await page.$$('.preview_page canvas')).length).toBeLessThan(6);
    await dashboard.expectAccessible();
  });

  it('replaces a PDF without flicker and keeps the position', async () => {
    await preview({ html: pages(5, 'Old') }, { html: pages(6, 'New') });
    await dashboard.shows('Page 1 of 6');
    const { page } = dashboard;
    await page.$eval('.preview_pages', (view) => view.scrollTo(0, view.scrollHeight / 2));
    await page.waitForSelector('.preview_page:nth-child(3) canvas');
    const position = await page.$eval('.preview_pages', ({ scrollTop }) => scrollTop);
    expect(position).toBeGreaterThan(100);
    // Counts the changes after which a visible page has no image.
    await page.evaluate(`(() => {
      const view = document.querySelector('.preview_pages');
      window.empty = 0;
      new MutationObserver(() => {
        const { top, bottom } = view.getBoundingClientRect();
        for (const page of view.children) {
          const box = page.getBoundingClientRect();
          if (box.top < bottom && box.bottom > top && !page.firstChild) window.empty += 1;
        }
      }).observe(view, { childList: true, subtree: true });
    })()`);
    await select(1);
    await dashboard.shows('of 5');
    expect(await page.evaluate('window.empty')).toBe(0);
    expect(await page.$eval('.preview_pages', ({ scrollTop }) => scrollTop)).toBe(position);
  });

  it('keeps the last good preview next to the errors from a newer one', async () => {
    await preview({ html: '<p>{{round "First"}}</p>' }, { html: '<p>Second</p>' });
    await dashboard.page.waitForSelector('.preview_page canvas');
    await select(1);
    await dashboard.shows('1 error', 'Last preview');
    expect(await dashboard.page.$$('.preview_page canvas')).toHaveLength(1);
    await dashboard.expectAccessible('preview-errors');
    await select(2);
    await dashboard.shows('No problems');
  });

  it('has text over the page images, without the watermark', async () => {
    const { page } = dashboard;
    await preview({ html: '<p>First</p><p style="position: absolute; top: 40%">Below the watermark</p>' });
    await page.waitForSelector('.preview_pageText span');
    /** Double-clicks the middle of a string to select the word there. */
    const selectWord = async (text: string) => {
      await page.locator(`.preview_pageText ::-p-text(${text})`).click({ count: 2 });
      return page.evaluate('getSelection().toString().trim()');
    };
    expect(await selectWord('watermark')).toBe('watermark');
    const text = await page.$eval('.preview_pageText', ({ textContent }) => textContent);
    expect(text.replaceAll(/\s+/g, ' ')).toBe('FirstBelow the watermark');
    await dashboard.press('Zoom in');
    expect(await selectWord('First')).toBe('First');
    await dashboard.expectAccessible();
  });

  it('shows every format', async () => {
    await preview({
      html: '<h1 onclick="go()">Hello</h1>{{missing}}',
      email: { subject: 'News', text: 'In plain words' },
    });
    await dashboard.press('2 warnings');
    await dashboard.shows('The data has no value for missing');
    await dashboard.shows('Scripts do not run in documents, so onclick has no effect.');
    await dashboard.press('PNG');
    await dashboard.page.waitForFunction(`document.querySelector('.preview_picture')?.naturalWidth > 100`);
    dashboard.expectComplaint(/Content Security Policy/);
    await dashboard.press('HTML');
    expect(await textInFrame('h1')).toBe('Hello');
    await dashboard.press('Word');
    await dashboard.shows('Browsers cannot show Word documents');
    await dashboard.press('Email');
    await dashboard.shows('News');
    expect(await textInFrame('h1')).toBe('Hello');
    // axe looks for its script in the frame, which has an opaque origin.
    dashboard.expectComplaint(/'postMessage'.*origin \('null'\)/);
    await dashboard.expectAccessible('preview-email');
    await dashboard.press('Plain text');
    await dashboard.shows('In plain words');
  });

  it('offers the e-invoice only for a template that has one', async () => {
    await preview({}, { e_invoice: E_INVOICE });
    const formats = async () => dashboard.page.$eval('.preview_bar', ({ textContent }) => textContent);
    expect(await formats()).toContain('E-invoice');
    await select(1);
    await eventually(async () => expect(await formats()).not.toContain('E-invoice'));
  });

  it('compares the published version with the draft in the editor, with the same data and scroll position', async () => {
    const { id } = await client.templates.create({ name: 'Letter', html: letter('Old') });
    await client.templates.saveSamples(id, [{ name: 'Ada', data: { name: 'Ada' } }]);
    await client.templates.publish(id, 1);
    await client.templates.update(id, { html: letter('Saved') });
    await dashboard.signIn(service.liveKey, `/templates/${id}`);
    await dashboard.shows('Version 2');
    await dashboard.page.locator('.cm-content').fill(letter('New'));
    await dashboard.press('Compare with the published version');
    await sideShows('Version 1, published', 'Old Ada');
    await sideShows('Your draft', 'New Ada');

    const { page } = dashboard;
    await dashboard.press('Zoom in');
    // A zoom resizes the pages asynchronously, which may move a view that has already scrolled.
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

    await dashboard.press('Compare with the published version');
    await page.waitForFunction(`document.querySelectorAll('.preview_pages').length === 1`);
  });
});
