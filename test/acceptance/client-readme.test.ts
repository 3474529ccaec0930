import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocks, page } from '../docs/pages.ts';
import { folderWithBuiltClient } from '../support/built-client.ts';
import { run } from '../support/keys-command.ts';
import { textOf } from '../support/files/pdf.ts';
import { live, url } from './service-under-test.ts';

const readme = blocks(await page('clients/typescript/README.md'), 'js');
const examples = [...readme, ...blocks(await page('docs/tutorials/typescript.md'), 'ts')];
const { folder } = await folderWithBuiltClient();

/** Runs the example that contains the text against the package as published. Returns its output. */
async function runExample(text: string): Promise<string> {
  const found = examples.filter((example) => example.includes(text));
  expect(found).toHaveLength(1);
  const file = join(folder, 'example.mjs');
  await writeFile(file, String(found[0]));
  const env = { ...process.env, TRIFOLD_URL: url, TRIFOLD_KEY: live.key };
  const { code, stdout, stderr } = await run(process.execPath, [file], { env, cwd: folder });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

describe("Examples in the client's README", () => {
  it('create and save a document', async () => {
    await runExample("createWriteStream('hello.pdf')");
    expect(await textOf(await readFile(join(folder, 'hello.pdf')))).toBe('Hello World');
  });

  it('wait for a document', async () => {
    expect(await runExample('generateAsync')).toBe('completed\nnow.pdf application/pdf\ntrue\n');
  });

  it('create a batch and save its files', async () => {
    expect(await runExample('onProgress')).toMatch(/^([0-3] of 3\n)*3 of 3\n$/);
    const zip = await readFile(join(folder, 'badges.zip'));
    expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  });

  it('distinguish errors', async () => {
    expect(await runExample('instanceof NotFoundError')).toBe('Template not found.\n');
  });

  it('repeat a request without creating a second document', async () => {
    expect(await runExample('idempotencyKey')).toBe('true\n');
  });

  it('in the tutorial create two documents and show the error for invalid data', async () => {
    expect(await runExample("createWriteStream('ada.pdf')")).toBe('ada.pdf completed\n');
    expect(await runExample("name: 'Letter'")).toBe('letter.pdf application/pdf\ndata_invalid /data/ends\n');
  });

  it('send integers with all their digits', async () => {
    expect(await runExample('parseJson(await')).toBe('completed\n');
  });

  it('all run, except the webhook receiver, which docs/webhooks.md explains', () => {
    expect(readme.filter((example) => !example.includes('process.env.TRIFOLD_URL'))).toHaveLength(1);
    expect(readme).toHaveLength(7);
  });
});
