import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceLevel, KeyMode } from '@trifold/crds';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { findProgram } from '@trifold/test-support/processes/find-program.ts';
import { describe, expect, it } from 'vitest';
import { testPage } from '../testing/browser/test-browser.ts';
import { renderDocument, type TestDocument } from '../testing/render-document.ts';
import { LAYOUT_DATA, LAYOUTS } from '../testing/sound-layouts.ts';

const qpdf = findProgram('TRIFOLD_TEST_QPDF', 'qpdf') ?? '';
const missing = [...(qpdf ? [] : ['qpdf']), ...(spawnSync('pdfdetach', ['-v']).error ? ['pdfdetach'] : [])];
if (missing.length > 0) console.warn(`skipped: there is no ${missing.join(', ')} on PATH`);

/** Poppler writes names with characters beyond U+FFFF differently. */
const FILES = new Map([
  ['Größe 請求書.xml', Buffer.from('<a/>')],
  ['empty', Buffer.alloc(0)],
  [')<<%[(#41', Buffer.from('endstream\nendobj\nstartxref 5 %%EOF')],
  ['فاتورة.bin', Buffer.from(Uint8Array.from({ length: 100_000 }, (_, index) => (index * index) % 251))],
]);
const attachments = Array.from(FILES, ([filename, bytes]) => {
  return {
    filename,
    mimeType: 'application/octet-stream',
    description: 'Ω',
    relationship: 'data',
    bytes,
  } as const;
});

describe.skipIf(missing.length > 0 && !process.env['CI'])('A PDF in other programs', () => {
  const chromium = testPage();

  it.each<[mode: KeyMode, conformance?: ConformanceLevel]>([
    ['live'],
    ['test'],
    ['live', 'a-2u'],
    ['live', 'a-3a'],
    ['test', 'a-3b'],
  ])('has no errors and contains its attachments: %s %s', { timeout: 120_000 }, async (mode, conformance) => {
    const files = conformance === 'a-2u' ? [] : attachments;
    for (const [name, layout] of Object.entries(LAYOUTS)) {
      const options = { ...(conformance && { conformance }), properties: { title: name, language: 'en' } };
      const document = { ...(layout as TestDocument), data: LAYOUT_DATA[2] ?? {}, mode, options };
      const folder = testDirectory();
      const path = join(folder, 'file.pdf');
      writeFileSync(
        path,
        await renderDocument(chromium.page, { ...document, features: { attachments: files } }),
      );
      // Fails for errors and for warnings.
      execFileSync(qpdf, ['--check', path]);
      const found = join(folder, 'found');
      mkdirSync(found);
      execFileSync('pdfdetach', ['-enc', 'UTF-8', '-saveall', '-o', found, path]);
      const saved = readdirSync(found).map((file) => [file, readFileSync(join(found, file))] as const);
      expect(new Map(saved), name).toEqual(files.length > 0 ? FILES : new Map());
    }
  });
});
