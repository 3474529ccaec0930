import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { blocks, page } from '../docs/pages.ts';
import { run } from '../support/keys-command.ts';
import { readPdf } from '../support/files/pdf.ts';
import { clientWith, newAccount, url } from './service-under-test.ts';
import { testDirectory } from '../support/files/test-directory.ts';

const missing = ['bash', 'curl', 'jq', 'base64'].filter(
  (program) => spawnSync(program, ['--version']).status !== 0,
);

let folder: string;
beforeEach(() => void (folder = testDirectory()));

/** Runs the code blocks on a page, except those that start a service or set the variables. */
async function paste(file: string): Promise<string> {
  const api = await clientWith({ account: newAccount() });
  const commands = blocks(await page(file), 'sh').filter((block) => !/^(npm|export) /m.test(block));
  expect(commands.length).toBeGreaterThan(2);
  const env = { ...process.env, TRIFOLD_URL: url, TRIFOLD_KEY: api.key };
  const input = ['set -euo pipefail', ...commands].join('\n');
  const result = await run('bash', [], { env, cwd: folder, input });
  expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(0);
  return result.stdout;
}

async function startOf(file: string): Promise<string> {
  return (await readFile(join(folder, file), 'latin1')).slice(0, 5);
}

describe.skipIf(missing.length > 0 && !process.env['CI'])('Commands pasted from the documentation', () => {
  it('the first tutorial produces two PDFs and shows the error for invalid data', async () => {
    const output = await paste('docs/tutorials/first-pdf.md');
    expect(output).toContain('"code": "data_invalid"');
    expect(output).toContain('"path": "/data/ends"');
    expect(output).toContain('"version": 2');
    expect([await startOf('letter.pdf'), await startOf('grace.pdf')]).toEqual(['%PDF-', '%PDF-']);
  });

  it('the invoice tutorial produces a three-page invoice', async () => {
    await paste('docs/tutorials/invoice.md');
    expect(await readPdf(await readFile(join(folder, 'invoice.pdf')))).toHaveLength(3);
  });

  it('the batch guide produces one file and a zip with all documents', async () => {
    const output = await paste('docs/how-to/batches.md');
    expect(JSON.parse(output)).toEqual({ status: 'completed', completed: 20, failed: 0 });
    expect(await startOf('first.pdf')).toBe('%PDF-');
    expect(await startOf('tickets.zip')).toMatch(/^PK/);
  });
});
