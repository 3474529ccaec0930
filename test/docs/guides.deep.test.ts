import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/keys-command.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';
import { blocks, page } from './pages.ts';

const missing = ['bash', 'curl', 'jq'].filter((program) => spawnSync(program, ['--version']).status !== 0);
if (missing.length > 0) console.warn(`skipped: there is no ${missing.join(', ')} on PATH`);

describe.skipIf(missing.length > 0 && !process.env['CI'])('Guides', () => {
  const keys = inventKeys();
  let service: ServiceProcess;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryDirectory();
    service = await new ServiceProcess({ data: await temporaryDirectory(), keys }).ready();
  });
  afterAll(async () => {
    await removeDirectory(folder);
    if (!service) return;
    await service.stop();
    await removeDirectory(service.data);
  });

  /** Runs the commands of a page one after the other. Returns what they print. */
  async function printedBy(text: string): Promise<string> {
    const env = { ...process.env, TRIFOLD_URL: service.url, TRIFOLD_KEY: keys.live };
    const input = ['set -euo pipefail', ...blocks(text, 'sh')].join('\n');
    const result = await run('bash', [], { env, cwd: folder, input });
    expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(0);
    return result.stdout;
  }

  it('about emails has commands that print what the page shows', async () => {
    const text = await page('docs/emails.md');
    expect(await printedBy(text)).toBe(`${blocks(text, 'text').join('')}Invoice INV-42\n`);
    const html = await readFile(join(folder, 'email.html'), 'utf8');
    expect(html).toContain('<p style="color: #1d2433;">Dear Ada &amp; Co,</p>');
    expect(html).toContain('@media (prefers-color-scheme: dark) { p { color: #fff !important } }');
  });

  it('about migration has commands that generate PDFs', async () => {
    expect(await printedBy(await page('docs/migrate.md'))).toMatch(/^\/v1\/generate\/gen-\w+\/download$/m);
    for (const file of ['letter.pdf', 'stored.pdf']) {
      expect(await readFile(join(folder, file), 'latin1')).toMatch(/^%PDF-/);
    }
  });
});
