import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { blocks, page } from '../docs/pages.ts';
import { eventually } from '../support/conditions.ts';
import { run } from '../support/keys-command.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { clientWith, newAccount, receivers, url } from './service-under-test.ts';

const missing = ['bash', 'curl', 'jq'].filter((program) => spawnSync(program, ['--version']).status !== 0);
const commands = blocks(await page('docs/webhooks.md'), 'bash');
const [deleting = ''] = commands.slice(-1);

describe.skipIf(!receivers || (missing.length > 0 && !process.env['CI']))('the page about webhooks', () => {
  it('has commands that do what it says', async () => {
    const api = await clientWith({ account: newAccount() });
    const receiver = await WebhookReceiver.start(receivers ? { authority: receivers } : {});
    const sh = async (blocksToRun: readonly string[]) => {
      const [define = ''] = /^trifold\(\).*$/m.exec(commands.join('\n')) ?? [];
      const input = ['set -euo pipefail', define, ...blocksToRun]
        .join('\n')
        .replaceAll('https://hooks.example.com', receiver.url('', 'localhost'));
      const result = await run('bash', [], { env: { ...process.env, URL: url, KEY: api.key }, input });
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
    // Several pages.
    const again = commands.slice(3, -1).map((command) => command.replace('limit=100', 'limit=2'));
    expect((await sh(again)).match(/"answer": "closed"[^}]*}\npending\n/g)).toHaveLength(3);
    await eventually('they are delivered', () => receiver.at('/trifold').length === 7);
    // Nothing has failed any more: there is one page, and it is empty.
    expect(await sh(again)).toBe('');
    expect(await sh([deleting])).toContain('"deleted":true');
    await receiver.stop();
  });
});
