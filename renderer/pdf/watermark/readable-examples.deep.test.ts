import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderOptions } from '@trifold/crds';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { testPage } from '../../testing/browser/test-browser.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { renderDocument } from '../../testing/render-document.ts';

const EXAMPLES = new URL('../../../examples/', import.meta.url);

const missing = ['pdftoppm', 'tesseract', 'zbarimg'].filter((program) => spawnSync(program, ['-h']).error);
if (missing.length > 0) console.warn(`skipped: there is no ${missing.join(', ')} on PATH`);

interface Example {
  readonly spec: { readonly html: string; readonly css: string; readonly defaultOptions: RenderOptions };
}

describe.skipIf(missing.length > 0 && !process.env['CI'])(
  'An example document created with a test key',
  () => {
    const chromium = testPage();

    const render = async (name: string, mode: 'live' | 'test') => {
      const { spec } = parse(readFileSync(new URL(`${name}.yaml`, EXAMPLES), 'utf8')) as Example;
      const data = JSON.parse(readFileSync(new URL(`${name}/data.json`, EXAMPLES), 'utf8')) as Record<
        string,
        unknown
      >;
      return renderDocument(chromium.page, { ...spec, data, mode });
    };
    /** Returns the codes, and the words found by text recognition. */
    const scan = (pdf: Buffer) => {
      const folder = testDirectory();
      writeFileSync(join(folder, 'file.pdf'), pdf);
      execFileSync('pdftoppm', ['-r', '150', '-png', 'file.pdf', 'page'], { cwd: folder });
      const pictures = readdirSync(folder)
        .filter((file) => file.endsWith('.png'))
        .toSorted();
      // Tesseract's threads busy-wait for each other, which is slower than a single thread.
      const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
      const output = (program: string, args: string[]) =>
        spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' }).stdout;
      const words = pictures.flatMap((picture) => output('tesseract', [picture, '-']).split(/\s+/));
      return { codes: output('zbarimg', ['--quiet', ...pictures]), words };
    };

    it.each(['certificate', 'invoice', 'label', 'letter', 'report', 'sepa-invoice', 'swiss-bill'])(
      'is as readable as the one without a watermark: %s',
      { timeout: 120_000 },
      async (name) => {
        const [live, test] = [await render(name, 'live'), await render(name, 'test')];
        const [before, after] = [await readPdf(live), await readPdf(test)];
        expect(after.pages.map(({ text }) => text.replace(/ ?TEST$/, ''))).toEqual(
          before.pages.map(({ text }) => text),
        );
        const [plain, marked] = [scan(live), scan(test)];
        expect(marked.codes).toBe(plain.codes);
        const found = plain.words.filter((word) => marked.words.includes(word));
        expect(found.length / plain.words.length).toBeGreaterThan(0.9);
      },
    );
  },
);
