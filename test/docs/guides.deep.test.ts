import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/keys-command.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';
import { blocks, page } from './pages.ts';

/** Operations that need a delivery, which test/docs/webhooks-page.deep.test.ts creates. */
const WITH_DELIVERY = ['Send a test event', 'Read a delivery', 'Retry a delivery'];

interface Body {
  readonly id?: string;
  readonly status_url?: string;
}

const isMissing = (program: string) => spawnSync(program, ['--version']).status !== 0;
const missing = ['curl', 'jq', 'bash', 'zsh'].filter(isMissing);
if (missing.length > 0) console.warn(`skipped: there is no ${missing.join(', ')} on PATH`);
const shells = ['bash', 'zsh'].filter((shell) => process.env['CI'] || !missing.includes(shell));

describe.skipIf(!process.env['CI'] && ['curl', 'jq'].some(isMissing)).each(shells)(
  'Guides in %s',
  (shell) => {
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

    /** Runs the commands on a page in order. Returns their output. */
    async function printedBy(text: string): Promise<string> {
      const env = { ...process.env, TRIFOLD_URL: service.url, TRIFOLD_KEY: keys.live };
      const input = ['set -euo pipefail', ...blocks(text, 'sh')].join('\n');
      const result = await run(shell, [], { env, cwd: folder, input });
      expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(0);
      return result.stdout;
    }

    it('about emails have commands that print the output on the page', async () => {
      const text = await page('docs/emails.md');
      expect(await printedBy(text)).toBe(`${blocks(text, 'text').join('')}Invoice INV-42\n`);
      const html = await readFile(join(folder, 'email.html'), 'utf8');
      expect(html).toContain('<p style="color: #1d2433;">Dear Ada &amp; Co,</p>');
      expect(html).toContain('@media (prefers-color-scheme: dark) { p { color: #fff !important } }');
    });

    const hasPoppler = spawnSync('pdfdetach', ['-v']).error === undefined;
    it.skipIf(!hasPoppler && !process.env['CI'])(
      'about attachments has commands that attach a file',
      async () => {
        expect(await printedBy(await page('docs/how-to/attach-files.md'))).toContain('1: items.csv');
      },
    );

    it('about failed requests has a command that lists them', async () => {
      const url = `${service.url}/v1/generate/gen-unknown`;
      expect((await fetch(url, { headers: { authorization: `Bearer ${keys.live}` } })).status).toBe(404);
      const entries = JSON.parse(await printedBy(await page('docs/how-to/find-a-request.md'))) as object[];
      expect(entries[0]).toMatchObject({ code: 'document_not_found', resource_id: 'gen-unknown' });
    });

    it('about migration have commands that generate PDFs', async () => {
      expect(await printedBy(await page('docs/migrate.md'))).toMatch(/^\/v1\/generate\/gen-\w+\/download$/m);
      for (const file of ['letter.pdf', 'stored.pdf']) {
        expect(await readFile(join(folder, file), 'latin1')).toMatch(/^%PDF-/);
      }
    });

    it('about the API have commands that work', async () => {
      expect(await printedBy(await page('docs/api/pagination.md'))).toMatch(/^\w+/);
      expect(new Set((await printedBy(await page('docs/api/idempotency.md'))).trim().split('\n')).size).toBe(
        1,
      );
    });

    const pages = ['templates', 'documents', 'batches', 'emails', 'api-keys', 'usage', 'webhooks', 'service'];

    it.each(pages)(
      'in the reference for %s have commands that return the documented response',
      async (name) => {
        const invoice = { name: 'Invoice', html: '<p>{{number}}</p>' };
        const template = await service.live.post('/v1/templates', invoice);
        const ids = new Map([['tpl-01m7yr3vq8c5t0x2n4b6d8f0ha', template.json<{ id: string }>().id]]);
        const operations = (await page(`docs/api/${name}.md`)).split(/^## /m).slice(1);
        for (const operation of operations) {
          const [command = ''] = blocks(operation, 'sh');
          if (command === '' || WITH_DELIVERY.some((title) => operation.startsWith(title))) continue;
          const shown = blocks(operation, 'json').map((text) => JSON.parse(text) as Body);
          const withIds = [...ids].reduce((text, [example, id]) => text.replaceAll(example, id), command);
          const printed = await printedBy(`\`\`\`sh\n${withIds}\`\`\``);
          if (shown.length === 0) continue;
          const body = JSON.parse(printed) as Body;
          const names = shown.map((example) => Object.keys(example));
          expect(
            names.some((fields) => fields.every((field) => field in body)),
            printed,
          ).toBe(true);
          if (shown[0]?.id && body.id) ids.set(shown[0].id, body.id);
          if (body.status_url)
            await eventually(async () => {
              const { status } = (await service.live.get(String(body.status_url))).json();
              return status !== 'pending' && status !== 'processing';
            });
        }
      },
    );
  },
);
