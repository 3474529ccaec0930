import { describe, expect, it } from 'vitest';
import { withTestPage } from '../testing/browser/test-browser.ts';
import type { DocumentPage } from '../browser/page/document-page.ts';
import { findMissingScripts } from './script-coverage.ts';

describe('findMissingScripts', () => {
  let page: DocumentPage;
  withTestPage((opened) => {
    ({ page } = opened);
  });

  it('reports scripts that a page shows as boxes', async () => {
    // The private use area stands for a script that no machine supports.
    const print = async (html: string, ...rest: [Parameters<DocumentPage['print']>[1]]) =>
      page.print(html.replace('Ж', '\ue9aa').replace('한', '\ue9ab'), ...rest);
    const missing = await findMissingScripts({ print });
    expect(missing).toEqual(expect.arrayContaining(['Cyrillic', 'Hangul']));
    expect(missing).not.toContain('Latin');
  });

  it('reports emoji when a text font has only the faces', async () => {
    // Like DejaVu Sans, which many machines have.
    const print = async (html: string, ...rest: [Parameters<DocumentPage['print']>[1]]) =>
      page.print(html.replaceAll(/(?![\u{1f600}-\u{1f64f}])\p{Emoji_Presentation}/gu, '\ue9aa'), ...rest);
    expect(await findMissingScripts({ print })).toContain('Emoji');
  });

  it('omits the scripts that a page shows', async () => {
    const missing = await findMissingScripts(page);
    // Every browser used in tests has fonts for these.
    expect(missing).not.toEqual(expect.arrayContaining(['Latin']));
    expect(missing).not.toEqual(expect.arrayContaining(['Cyrillic']));
  });
});
