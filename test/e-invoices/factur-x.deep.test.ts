import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { embeddedInvoice } from '@trifold/platform/e-invoices/embedded-file.ts';
import { describe, expect, it } from 'vitest';
import { facturXFiles } from './factur-x-files.ts';

const python = process.env['TRIFOLD_TEST_FACTUR_X'];
if (python === undefined)
  console.warn('skipped: set TRIFOLD_TEST_FACTUR_X to the path that .ci/factur-x prints');

const SCRIPT = new URL('read-factur-x.py', import.meta.url).pathname;
/** An invoice and a credit note. */
const NUMBERS = [1, 4];
/** The library does not know XRechnung, whose XML has the elements of EN 16931. */
const LEVELS = { basic: 'basic', en16931: 'en16931', xrechnung: 'en16931', 'peppol-bis-3': undefined };

type Result = Readonly<Record<'name' | 'level' | 'xml', string>> | { readonly error: string };

describe.skipIf(python === undefined && !process.env['CI'])("PyPI's factur-x", () => {
  it('reads the invoices in PDFs of each profile, and rejects one that does not match the schema', async () => {
    const files = await facturXFiles(NUMBERS);
    const pdf = Buffer.from(files[0]?.pdf ?? []).toString('latin1');
    const wrong = Buffer.from(pdf.replaceAll('ram:GrandTotalAmount>', 'ram:GrandTotalAmounx>'), 'latin1');
    const results = await read([...files.map((file) => file.pdf), wrong]);
    expect(results).toEqual([
      ...files.map(({ profile }) => ({
        name: embeddedInvoice(profile)?.filename,
        level: LEVELS[profile],
        xml: expect.stringContaining('</rsm:CrossIndustryInvoice>') as string,
      })),
      { error: 'the file contains no valid e-invoice' },
    ]);
  }, 120_000);
});

/** Reads files in one process. */
async function read(files: readonly Uint8Array[]): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'trifold-factur-x-'));
  try {
    const paths = files.map((_, index) => join(folder, `${index}.pdf`));
    for (const [index, path] of paths.entries()) await writeFile(path, files[index] ?? '');
    const { stdout } = await promisify(execFile)(python ?? '', [SCRIPT, ...paths], { maxBuffer: 2 ** 26 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Result);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
