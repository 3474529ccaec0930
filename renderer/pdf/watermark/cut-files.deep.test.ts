import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPage } from '../../testing/browser/test-browser.ts';
import { drawPdf } from '../../testing/files/pdf-picture.ts';
import { contrastOf } from '../../testing/files/watermark-ink.ts';
import { renderDocument } from '../../testing/render-document.ts';

/** Programs that rebuild damaged files, with their arguments. */
const PROGRAMS = {
  qpdf: (from: string, to: string) => [from, to],
  mutool: (from: string, to: string) => ['clean', from, to],
} as const;
type Program = keyof typeof PROGRAMS;
const NAMES = Object.keys(PROGRAMS) as Program[];

const missing = NAMES.filter((program) => spawnSync(program, ['--version']).error);
if (missing.length > 0) console.warn(`skipped: there is no ${missing.join(', ')} on PATH`);

/** Least contrast of a page without content. The opacity of TEST is 0.16. */
const MARKED = 0.12;

describe.skipIf(missing.length > 0 && !process.env['CI'])('A file with a watermark that is cut off', () => {
  const chromium = testPage();
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'trifold-cut-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** Returns the rebuilt file; undefined if the program finds no document. */
  const rebuilt = (program: Program, pdf: Buffer): Buffer | undefined => {
    const [from, to] = [join(directory, 'from.pdf'), join(directory, 'to.pdf')];
    writeFileSync(from, pdf);
    rmSync(to, { force: true });
    spawnSync(program, PROGRAMS[program](from, to), { timeout: 30_000 });
    try {
      return readFileSync(to);
    } catch {
      return undefined;
    }
  };

  /** Number of pages that show something, and whether each shows the mark. */
  const shown = async (pdf: Buffer) => {
    const pictures = await drawPdf(pdf, { scale: 1 }).catch(() => []);
    const visible = pictures.filter((picture) => Math.max(...contrastOf(picture)) > 0);
    // The lower half of a page has no content, except for the mark.
    const marked = visible.filter(({ width, height, at }) => {
      const half = Math.floor(height / 2);
      const lower = contrastOf({ width, height: half - 80, at: (x, y) => at(x, y + half) });
      return Math.min(...lower) >= MARKED;
    });
    return { visible: visible.length, marked: marked.length };
  };

  it.each(NAMES)(
    'shows no page without its mark when %s rebuilds it',
    { timeout: 300_000 },
    async (program) => {
      const html = '<h1>One</h1><p style="break-before: page">Two <b>pages</b> <i>with fonts</i>';
      const options = { footer: { enabled: true, content: '{{page}}' }, tagged: true };
      const pdf = await renderDocument(chromium.page, { html, options, mode: 'test' });
      const whole = rebuilt(program, pdf);
      expect(whole && (await shown(whole))).toEqual({ visible: 2, marked: 2 });
      const text = pdf.toString('latin1');
      const cuts = Array.from(
        text.matchAll(/endobj\n|endstream|stream\n|%%EOF\n?|startxref/g),
        ({ 0: end, index }) => index + end.length,
      );
      let documents = 0;
      for (const cut of cuts) {
        for (const at of [cut, cut - 7]) {
          const file = rebuilt(program, pdf.subarray(0, at));
          if (!file) continue;
          const { visible, marked } = await shown(file);
          expect({ at, marked }).toEqual({ at, marked: visible });
          documents += Number(visible > 0);
        }
      }
      expect(documents).toBeGreaterThan(0);
    },
  );
});
