import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWithBuiltClient } from '../support/built-client.ts';
import { run } from '../support/keys-command.ts';
import { blocks, page } from './pages.ts';
import { EVENT_ID, exampleDeliveries } from './webhook-deliveries.ts';

const webhooks = await page('docs/webhooks.md');
const codeIn = (language: string) => blocks(webhooks, language).join('\n');

const deliveries = exampleDeliveries(1_795_255_200).map(({ clockBehind, ...delivery }) => ({
  ...delivery,
  now: 1_795_255_200 - clockBehind,
}));
/** Expected verdicts in every language: the ID of the event, or `rejected`. */
const verdicts = deliveries.map(({ name, genuine }) => `${name}: ${genuine ? EVENT_ID : 'rejected'}`);

const { folder } = await folderWithBuiltClient();

/** Returns the reason that a language is skipped. Always undefined in CI, where a missing program is a failure. */
function whyNot(...version: [string, ...string[]]): string | undefined {
  const [program, ...args] = version;
  if (process.env['CI'] || spawnSync(program, args).status === 0) return undefined;
  return `there is no ${program} on PATH`;
}

/** Runs a program with the table on standard input. Returns its output lines. */
async function verdictsOf(program: string, args: string[], table: object[] = deliveries): Promise<string[]> {
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', PYTHONIOENCODING: 'utf-8' };
  const result = await run(program, args, { cwd: folder, env, input: JSON.stringify(table) });
  expect(result.code, result.stderr).toBe(0);
  return result.stdout.trim().split('\n');
}

it('the table contains genuine and forged deliveries', () => {
  expect(deliveries.filter(({ genuine }) => genuine).length).toBeGreaterThan(5);
  expect(deliveries.filter(({ genuine }) => !genuine).length).toBeGreaterThan(15);
});

describe('Code in docs/webhooks.md that verifies deliveries', () => {
  it('works in TypeScript, as a server', async () => {
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'server.ts'), codeIn('ts'));
    // A server uses the machine's clock, so the table is for the current time; each delivery has a server with its
    // secret.
    await writeFile(
      join(folder, 'run.ts'),
      `import { once } from 'node:events';
       import { text } from 'node:stream/consumers';
       console.log = () => undefined;
       const verdicts = [];
       for (const [number, { name, payload, headers, secret }] of JSON.parse(await text(process.stdin)).entries()) {
         process.env['WEBHOOK_SECRET'] = secret;
         const { server } = await import('./server.ts?' + number);
         await once(server.listen(0, '127.0.0.1'), 'listening');
         const url = 'http://127.0.0.1:' + server.address().port;
         const { status } = await fetch(url, { method: 'POST', headers, body: payload });
         server.close();
         verdicts.push(name + ': ' + (status === 204 ? '${EVENT_ID}' : 'rejected'));
       }
       process.stdout.write(verdicts.join('\\n'));`,
    );
    const seconds = Math.floor(Date.now() / 1000);
    const table = exampleDeliveries(seconds).map(({ clockBehind, ...delivery }) =>
      clockBehind === 0 ? delivery : shifted(seconds, clockBehind, delivery.name),
    );
    expect(await verdictsOf(process.execPath, ['run.ts'], table)).toEqual(verdicts);
  });

  const python = whyNot('python3', '--version');
  if (python) console.warn(`skipped: ${python}`);
  it.skipIf(python)('works in Python', async () => {
    await writeFile(join(folder, 'webhooks.py'), codeIn('python'));
    await writeFile(
      join(folder, 'run.py'),
      `
import json, sys
from webhooks import NotGenuine, verify_webhook
for d in json.load(sys.stdin):
    try:
        verdict = verify_webhook(d["payload"].encode(), d["headers"], d["secret"], d["now"])["id"]
    except NotGenuine:
        verdict = "rejected"
    except ValueError:
        assert d["secret"] == ""
        verdict = "rejected"
    print(f'{d["name"]}: {verdict}')
`,
    );
    // Python servers decode non-text bytes as these. JSON has no bytes, and fetch and Go do not send such bytes.
    const forged = ['\udc80', '\ud800', 'é'].map((signature, number) => ({
      ...deliveries[0],
      name: `surrogates ${number}`,
      headers: { ...deliveries[0]?.headers, 'X-Trifold-Signature': signature },
    }));
    expect(await verdictsOf('python3', ['run.py'], [...deliveries, ...forged])).toEqual([
      ...verdicts,
      ...forged.map(({ name }) => `${name}: rejected`),
    ]);
  });

  const go = whyNot('go', 'version');
  if (go) console.warn(`skipped: ${go}`);
  it.skipIf(go)('works in Go', { timeout: 180_000 }, async () => {
    await mkdir(join(folder, 'webhooks'));
    await writeFile(join(folder, 'go.mod'), 'module example.com/receiver\n\ngo 1.21\n');
    await writeFile(join(folder, 'webhooks', 'webhooks.go'), codeIn('go'));
    await writeFile(
      join(folder, 'main.go'),
      `package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/receiver/webhooks"
)

func main() {
	var deliveries []struct {
		Name, Payload, Secret string
		Headers               map[string]string
		Now                   int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	for _, d := range deliveries {
		header := http.Header{}
		for name, value := range d.Headers {
			header.Set(name, value)
		}
		event, err := webhooks.Verify([]byte(d.Payload), header, d.Secret, time.Unix(d.Now, 0))
		verdict := event.ID
		if err != nil {
			verdict = "rejected"
		}
		if err != nil && !errors.Is(err, webhooks.ErrNotGenuine) && d.Secret != "" {
			panic(err)
		}
		fmt.Printf("%s: %s\\n", d.Name, verdict)
	}
}
`,
    );
    expect(await verdictsOf('go', ['run', '.'])).toEqual(verdicts);
  });

  const openssl = whyNot('openssl', 'version');
  if (openssl) console.warn(`skipped: ${openssl}`);
  it.skipIf(openssl)('works in a shell', async () => {
    const script = codeIn('sh');
    const env = { ...process.env, TIMESTAMP: '1795255200', BODY: '{"id":"evt-1"}', SECRET: 'shared secret' };
    const { stdout, code } = await run('sh', ['-c', script], { env });
    expect(code).toBe(0);
    const expected = createHmac('sha256', env.SECRET).update(`${env.TIMESTAMP}.${env.BODY}`).digest('hex');
    expect(stdout.trim()).toBe(expected);
  });
});

/** Returns the delivery with this name from a sender whose clock is `clockBehind` seconds ahead of the machine's. */
function shifted(seconds: number, clockBehind: number, name: string) {
  const { clockBehind: _shift, ...delivery } = exampleDeliveries(seconds + clockBehind).find(
    (candidate) => candidate.name === name,
  )!;
  return delivery;
}
