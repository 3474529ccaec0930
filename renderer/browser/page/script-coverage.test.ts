import { describe, expect, it } from 'vitest';
import { withTestPage } from '../../testing/test-browser.ts';
import type { DocumentPage } from './document-page.ts';
import { findMissingScripts } from './script-coverage.ts';

const ALL = ['Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Chinese', 'Japanese', 'Korean', 'Emoji'];

describe('the scripts that no font has', () => {
  let page: DocumentPage;
  withTestPage((opened) => {
    ({ page } = opened);
  });

  it('are told of a page on which they are boxes', async () => {
    // The private use area stands for a script that no machine supports.
    const print = async (html: string, ...rest: [Parameters<DocumentPage['print']>[1]]) =>
      page.print(html.replace('Ж', '\ue9aa').replace('한', '\ue9ab'), ...rest);
    const missing = await findMissingScripts({ print });
    expect(missing).toEqual(expect.arrayContaining(['Cyrillic', 'Korean']));
    expect(missing).not.toContain('Latin');
  });

  it('are told of emoji where a font for text has the faces and no others', async () => {
    // Like DejaVu Sans, which many machines have.
    const print = async (html: string, ...rest: [Parameters<DocumentPage['print']>[1]]) =>
      page.print(html.replaceAll(/(?![\u{1f600}-\u{1f64f}])\p{Emoji_Presentation}/gu, '\ue9aa'), ...rest);
    expect(await findMissingScripts({ print })).toContain('Emoji');
  });

  it('are not those that a page shows', async () => {
    const missing = await findMissingScripts(page);
    expect(ALL).toEqual(expect.arrayContaining(missing));
    // Every browser used in tests has fonts for these.
    expect(missing).not.toEqual(expect.arrayContaining(['Latin']));
    expect(missing).not.toEqual(expect.arrayContaining(['Cyrillic']));
  });
});
