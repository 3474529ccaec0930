import { createLogger } from '@trifold/platform/process/logging.ts';
import { expect, it, vi } from 'vitest';
import type { DocumentPage } from '../browser/page/document-page.ts';
import { testPage } from '../testing/browser/test-browser.ts';
import { findMissingScripts, FontCoverage } from './font-coverage.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

it('checks the fonts once, and only for documents that use non-Latin scripts', async () => {
  const find = vi.fn(() => Promise.resolve(['Thai', 'Tibetan']));
  const fonts = new FontCoverage(find, logger);
  expect(await fonts.uncovered()).toEqual([]);
  expect(find).not.toHaveBeenCalled();
  const both = [fonts.uncovered(['Greek', 'Thai']), fonts.uncovered(['Greek'])];
  expect(await Promise.all(both)).toEqual([['Thai'], []]);
  expect(find).toHaveBeenCalledTimes(1);
});

it('reports no scripts if the check fails, and repeats the check for the next document', async () => {
  const find = vi.fn<() => Promise<string[]>>();
  find.mockRejectedValueOnce(new Error('the browser died')).mockResolvedValueOnce(['Thai']);
  const fonts = new FontCoverage(find, logger);
  expect(await fonts.uncovered(['Thai'])).toEqual([]);
  expect(await fonts.uncovered(['Thai'])).toEqual(['Thai']);
});

const chromium = testPage();

it('findMissingScripts reports emoji if a text font has only the faces', async () => {
  // Like DejaVu Sans, which many machines have.
  const print = async (html: string, ...rest: [Parameters<DocumentPage['print']>[1]]) =>
    chromium.page.print(
      html.replaceAll(/(?![\u{1f600}-\u{1f64f}])\p{Emoji_Presentation}/gu, '\ue9aa'),
      ...rest,
    );
  expect(await findMissingScripts({ print })).toContain('Emoji');
});
