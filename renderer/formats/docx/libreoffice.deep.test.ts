import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import { suiteDirectory } from '@trifold/test-support/files/test-directory.ts';
import { printingOf } from '../../task/print-settings.ts';
import { testBinary } from '../../testing/browser/test-browser.ts';
import { RendererFixture } from '../../testing/renderer-fixture.ts';
import { ALLOWED_DIFFERENCES } from './testing/allowed-differences.ts';
import { differences } from './testing/differences.ts';
import { fixedFonts } from './testing/fixed-fonts.ts';
import { convertToPdf, libreOfficeProgram } from './testing/libreoffice.ts';
import { readPrinted } from './testing/printed-file.ts';
import { sampleData, sampleDocuments, type SampleDocument } from './testing/sample-documents.ts';

const isMissing = !libreOfficeProgram() || spawnSync('pdftotext', ['-v']).error !== undefined;
if (isMissing) console.warn('skipped: set TRIFOLD_TEST_SOFFICE, and install pdftotext');

const POINTS = 72;
const documents = sampleDocuments();

const render = async (
  fixture: RendererFixture,
  { html, css, options = {} }: SampleDocument,
  format: 'pdf' | 'docx',
): Promise<Buffer> => {
  const content = { html, ...(css !== undefined && { css }) };
  return (await fixture.complete(content, { json: sampleData(), format, options })).file;
};

const contentArea = ({ width, height, margins, header, footer }: PageGeometry) => ({
  left: margins.left * POINTS,
  top: (margins.top + header) * POINTS,
  right: (width - margins.right) * POINTS,
  bottom: (height - margins.bottom - footer) * POINTS,
});

describe.skipIf(isMissing && !process.env['CI'])('A DOCX file in LibreOffice', () => {
  const printed = new Map<string, Buffer>();
  let converted: ReadonlyMap<string, Buffer>;
  const directory = suiteDirectory();

  beforeAll(async () => {
    const { executable, environment } = await testBinary();
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.stubEnv('FONTCONFIG_FILE', await fixedFonts(directory));
    const fixture = await RendererFixture.start({ browser: executable, browsers: 1 });
    try {
      const files = new Map<string, Buffer>();
      for (const [name, document] of documents) {
        printed.set(name, await render(fixture, document, 'pdf'));
        files.set(name, await render(fixture, document, 'docx'));
      }
      converted = await convertToPdf(files);
    } finally {
      await fixture.close();
    }
  }, 300_000);
  afterAll(() => vi.unstubAllEnvs());

  it.each([...documents.keys()])('shows what the PDF shows: %s', async (name) => {
    const { options = {}, ...expected } = documents.get(name) ?? {};
    const area = contentArea(printingOf(options).geometry);
    const [ours, theirs] = [await readPrinted(printed.get(name)), await readPrinted(converted.get(name))];
    const allowed = ALLOWED_DIFFERENCES.filter(({ document }) => document === name);
    expect(differences({ ours, theirs, area, ...expected })).toEqual(
      allowed.map(({ difference }) => difference),
    );
  });

  it('differs in only a few places', () => {
    expect(ALLOWED_DIFFERENCES.length).toBeLessThanOrEqual(15);
    expect(ALLOWED_DIFFERENCES.filter(({ document }) => !documents.has(document))).toEqual([]);
  });
});
