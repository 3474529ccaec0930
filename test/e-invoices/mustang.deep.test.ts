import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { describe, expect, it } from 'vitest';
import { createdInvoice } from './created-invoices.ts';
import { facturXFiles, withOtherTotal } from './factur-x-files.ts';

const jar = process.env['TRIFOLD_TEST_MUSTANG'];
if (jar === undefined) console.warn('skipped: set TRIFOLD_TEST_MUSTANG to the path that .ci/mustang prints');

/** An invoice and a credit note. */
const NUMBERS = [1, 4];
const PROFILE_NAMES = Object.keys(PROFILES) as EInvoiceProfile[];

interface File {
  readonly name: string;
  readonly content: string | Uint8Array;
}

describe.skipIf(jar === undefined && !process.env['CI'])('Mustang', () => {
  it('accepts the invoices for each profile, as XML and in PDFs, and rejects those with a wrong total', async () => {
    const invoices = PROFILE_NAMES.flatMap((profile) =>
      PROFILES[profile].syntaxes.flatMap((syntax) =>
        NUMBERS.map((number) => ({
          name: `${profile}-${number}-${syntax}.xml`,
          content: createdInvoice(number, { profile, syntax }),
        })),
      ),
    );
    const documents = (await facturXFiles(NUMBERS)).map(({ profile, number, pdf }) => ({
      name: `${profile}-${number}.pdf`,
      content: pdf,
    }));
    const files = [...invoices, ...documents];
    const wrong = [...invoices.slice(0, 1), ...documents.slice(0, 1)].map(({ name, content }) => ({
      name: `wrong-${name}`,
      content: withOtherTotal(content),
    }));
    expect(await mustang([...files, ...wrong])).toEqual(
      Object.fromEntries([
        ...files.map(({ name }) => [name, 'true']),
        ...wrong.map(({ name }) => [name, 'false']),
      ]),
    );
  }, 300_000);
});

/** Checks files in one JVM. Returns whether each is valid, by its name. */
async function mustang(files: readonly File[]): Promise<Record<string, string | undefined>> {
  const folder = await mkdtemp(join(tmpdir(), 'trifold-mustang-'));
  try {
    for (const { name, content } of files) await writeFile(join(folder, name), content);
    const program = new URL('MustangResults.java', import.meta.url).pathname;
    const names = files.map(({ name }) => name);
    const args = ['-cp', jar ?? '', program, ...names];
    const { stdout } = await promisify(execFile)('java', args, { cwd: folder, maxBuffer: 2 ** 26 });
    const results = stdout.trim().split('\n');
    return Object.fromEntries(names.map((name, index) => [name, results[index]]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
