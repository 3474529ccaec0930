import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { launchPictureBrowser, launchTestBrowser, openPage } from '../../testing/browser/test-browser.ts';
import type { Browser } from '../process/browser.ts';
import type { DocumentPage } from './document-page.ts';
import { PrintError } from './print-error.ts';
import { mayNavigate, readingMode } from './page-reuse.ts';
import { randomDocument } from './testing/random-documents.ts';
import { WARM_UP_SETTINGS } from '../pool/browser-slot.ts';

/** Every run uses the same documents unless the variables request others. */
const SEED = Number(process.env['TRIFOLD_RESIDUE_SEED'] ?? 1);
const PAIRS = Number(process.env['TRIFOLD_RESIDUE_PAIRS'] ?? 1000);
const PICTURE = { width: 500, height: 400, deviceScale: 1, fullPage: false };

type Look = (page: DocumentPage, html: string) => Promise<string>;

/** A PDF without its dates and the identifier derived from them. */
const inPrint: Look = async (page, html) => {
  const pdf = await page.print(html, WARM_UP_SETTINGS);
  const text = pdf.toString('latin1').replaceAll(/\(D:\d+[^)]*\)/g, '()');
  return createHash('sha256').update(text, 'latin1').digest('hex');
};
const inPicture: Look = async (page, html) => {
  const { file: png } = await page.capture(html, PICTURE);
  return createHash('sha256').update(png).digest('hex');
};

/** Shows a document on a separate page. */
async function alone(browser: Browser, look: Look, html: string): Promise<string> {
  const page = await openPage(browser);
  try {
    return await look(page, html);
  } finally {
    await page.close();
  }
}

/** Shows a document that may navigate away, which makes its page unusable. Returns whether the page is still usable. */
async function litter(page: DocumentPage, look: Look, html: string): Promise<boolean> {
  try {
    await look(page, html);
  } catch (error) {
    if (!(error instanceof PrintError) || error.code !== 'document_navigates') throw error;
    expect(mayNavigate(html), `a document left: ${JSON.stringify(html)}`).toBe(true);
  }
  return page.usable;
}

/** Shows pairs of documents, one after another on the same page. Each second document follows several first ones. */
async function expectNoResidue(browser: Browser, look: Look, pairs: number): Promise<void> {
  const expected = new Map<number, string>();
  let page = await openPage(browser);
  let shared = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const [firstSeed, secondSeed] = [SEED * 1e6 + pair, SEED * 1e6 + 500_000 + (pair % Math.ceil(pairs / 5))];
    const [first, second] = [randomDocument(firstSeed), randomDocument(secondSeed, { still: true })];
    const baseline = expected.get(secondSeed) ?? (await alone(browser, look, second));
    expected.set(secondSeed, baseline);
    if (!(await litter(page, look, first))) {
      await page.close().catch(() => undefined);
      page = await openPage(browser);
      continue;
    }
    if (!page.needsNewDocument && readingMode(second) !== undefined) shared += 1;
    const seen = await look(page, second).catch((error: unknown) => String(error));
    const pairText = `seeds ${firstSeed}, ${secondSeed}: ${JSON.stringify([first, second])}`;
    expect(seen === baseline, `the second looks otherwise than alone, ${pairText}`).toBe(true);
  }
  // Otherwise every page would be new and nothing would be tested.
  expect(shared).toBeGreaterThan(pairs / 50);
}

const TIMEOUT_MS = 1_200_000;

it.each([
  ['PDF', launchTestBrowser, inPrint, PAIRS],
  ['picture', launchPictureBrowser, inPicture, Math.ceil(PAIRS / 5)],
] as const)(
  'no document changes the %s of the next one on its page',
  async (_, launch, look, pairs) => {
    const browser = await launch();
    try {
      await expectNoResidue(browser, look, pairs);
    } finally {
      await browser.stop();
    }
  },
  TIMEOUT_MS,
);
