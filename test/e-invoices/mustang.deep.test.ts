import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { describe, expect, it } from 'vitest';
import { createdInvoice } from './created-invoices.ts';

const jar = process.env['TRIFOLD_TEST_MUSTANG'];
if (jar === undefined) console.warn('skipped: set TRIFOLD_TEST_MUSTANG to the path that .ci/mustang prints');

/** An invoice and a credit note. */
const NUMBERS = [1, 4];
const PROFILE_NAMES = Object.keys(PROFILES) as EInvoiceProfile[];

describe.skipIf(jar === undefined && !process.env['CI'])('Mustang', () => {
  it('accepts the invoices for each profile, and rejects one with a wrong total', async () => {
    const files = PROFILE_NAMES.flatMap((profile) =>
      PROFILES[profile].syntaxes.flatMap((syntax) =>
        NUMBERS.map((number) => createdInvoice(number, { profile, syntax })),
      ),
    );
    const wrong = createdInvoice(1, { profile: 'en16931', syntax: 'cii' }).replace(
      /(<ram:GrandTotalAmount>)[^<]*/,
      '$11.00',
    );
    const results = await mustang([...files, wrong]);
    expect(results.filter((isValid) => isValid)).toHaveLength(files.length);
    expect(results.filter((isValid) => !isValid)).toHaveLength(1);
  }, 300_000);
});

/** Checks files in one JVM. Returns which are valid, in any order. */
async function mustang(files: readonly string[]): Promise<boolean[]> {
  const folder = await mkdtemp(join(tmpdir(), 'trifold-mustang-'));
  try {
    for (const [index, xml] of files.entries()) await writeFile(join(folder, `${index}.xml`), xml);
    const log = await run(['--no-notices', '--action', 'validateExpectValid', '--directory', folder]);
    return Array.from(log.matchAll(/Parsed PDF:absent XML:(\w+)/g), ([, result]) => result === 'valid');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the log. The exit code says whether all files are valid. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('java', ['-jar', jar ?? '', ...args], { maxBuffer: 2 ** 26 }, (_error, _report, log) =>
      resolve(log),
    );
  });
}
