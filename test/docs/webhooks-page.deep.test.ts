import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority } from '@trifold/embedded-apiserver/tls/certificates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/keys-command.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';
import { WebhookReceiver } from '../support/http/webhook-receiver.ts';
import { blocks, page } from './pages.ts';

const missing = ['bash', 'curl', 'jq'].filter((program) => spawnSync(program, ['--version']).status !== 0);
if (missing.length > 0) console.warn(`skipped: there is no ${missing.join(', ')} on PATH`);
const commands = blocks(await page('docs/webhooks.md'), 'bash');
const [deleting = ''] = commands.slice(-1);

describe.skipIf(missing.length > 0 && !process.env['CI'])('The webhooks page', () => {
  const keys = inventKeys();
  let service: ServiceProcess;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    const authority = await createAuthority(new Date());
    receiver = await WebhookReceiver.start({ authority });
    const data = await temporaryDirectory();
    const environment = {
      TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8,::1',
      TRIFOLD_WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s',
      NODE_EXTRA_CA_CERTS: join(data, 'authority.pem'),
    };
    await writeFile(environment.NODE_EXTRA_CA_CERTS, authority.certificate);
    service = await new ServiceProcess({ data, keys, environment }).ready();
  });
  afterAll(async () => {
    await receiver?.stop();
    if (!service) return;
    await service.stop();
    await removeDirectory(service.data);
  });

  it('has commands that work as documented', async () => {
    const { live: api } = service;
    const sh = async (blocksToRun: readonly string[]) => {
      const [define = ''] = /^trifold\(\).*$/m.exec(commands.join('\n')) ?? [];
      const input = ['set -euo pipefail', define, ...blocksToRun]
        .join('\n')
        .replaceAll('https://hooks.example.com', receiver.url('', 'localhost'));
      const env = { ...process.env, TRIFOLD_URL: service.url, TRIFOLD_KEY: keys.live };
      const result = await run('bash', [], { env, input });
      expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(0);
      return result.stdout;
    };
    receiver.answer = (_request, response) => response.writeHead(204).end();
    const setUp = await sh(commands.slice(0, 3));
    expect(setUp.match(/"secret":"whsec_/g)).toHaveLength(2);
    expect(setUp).toContain('"delivered":true,"status":204');
    expect(receiver.at('/trifold')).toHaveLength(1);

    receiver.answer = (_request, response) => response.writeHead(503).end('closed');
    for (let tests = 0; tests < 3; tests += 1) await api.post('/v1/webhooks/settings/test', {});
    receiver.answer = (_request, response) => void response.end();
    const [one = '', all = ''] = commands.slice(3, -1);
    const retried = await sh([one.replace('2026-11-20', '2020-11-20')]);
    expect(retried).toMatch(
      /"answer": "closed"[^}]*}\npending\n{"retried":2,"has_more":false,"next_cursor":null}$/,
    );
    await eventually(() => receiver.at('/trifold').length === 7);
    // No failed deliveries are left, so there is one empty page.
    expect(await sh([all])).toBe('{"retried":0,"has_more":false,"next_cursor":null}\n');
    expect(await sh([deleting])).toContain('"deleted":true');
  });

  it('has a command that retries page by page', async () => {
    const page = { retried: 1000, has_more: true, next_cursor: 'one' };
    const last = { retried: 7, has_more: false, next_cursor: null };
    // Replaces the service, which has no second page until 1,000 deliveries have failed.
    const trifold = `trifold() { if [[ $* == *'"cursor":"one"'* ]]; then echo '${JSON.stringify(last)}'; else echo '${JSON.stringify(page)}'; fi; }`;
    const input = ['set -euo pipefail', trifold, commands.at(-2) ?? ''].join('\n');
    const result = await run('bash', [], { env: { ...process.env, TRIFOLD_URL: '' }, input });
    expect(result.code, result.stderr).toBe(0);
    expect(
      result.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([page, last]);
  });
});
