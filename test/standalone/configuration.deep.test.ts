import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { stillRunning, type ProcessIdentity } from '../support/processes/process-tree.ts';
import { inventKeys, type ServiceOptions } from '../support/service.ts';
import { freshDirectory, freshService, launch } from './fresh-service.ts';

/** Expects a service start to fail with one line that contains `named`, exit code 1 and no process left running. */
async function expectOneLine(options: Partial<ServiceOptions>, named: readonly string[]): Promise<void> {
  const data = options.data ?? (await freshDirectory());
  const service = launch({ keys: inventKeys(), ...options, data });
  const seen = new Map<number, ProcessIdentity>();
  const look = setInterval(() => service.children.forEach((child) => seen.set(child.pid, child)), 20);
  const end = await service.ended.finally(() => clearInterval(look));
  expect(end, service.output).toEqual({ code: 1, signal: null });
  expect(service.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(service.stderr).toMatch(/^trifold: /);
  for (const text of named) expect(service.stderr).toContain(text);
  expect(service.stderr).not.toMatch(NO_STACK);
  await eventually(() => stillRunning([...seen.values()]).length === 0);
}

const NO_STACK = /\n\s+at |node:internal|\.ts:\d+/;

// The first one is Node 20; Trifold runs on the others.
describe.each(process.env['TRIFOLD_TEST_NODES']?.split(':', 1) ?? [])('An older Node, %s', (node) => {
  it.each(['start', 'demo', 'npx trifold'])('is named with the remedy: %s', async (name) => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const command = ['sh', '-c', scripts[name] ?? 'node cli/bin/trifold.js help'] as const;
    const PATH = `${dirname(node)}:${process.env['PATH']}`;
    await expectOneLine({ command, environment: { PATH } }, ['Node 24', 'npm ci --ignore-scripts=false']);
  });
});

it('An argument is a usage error, and nothing starts', async () => {
  const service = launch({ data: await freshDirectory(), command: ['npm', 'start', '--', '--help'] });
  expect(await service.ended).toEqual({ code: 2, signal: null });
  expect(service.stderr).toContain('trifold: unknown argument "--help"');
});

describe('Invalid configuration', () => {
  it('reports all problems together, exits with 1 and does not print a key', async () => {
    const secret = inventKeys().live;
    const service = launch({
      data: await freshDirectory(),
      environment: {
        TRIFOLD_PORT: '99999',
        TRIFOLD_HOSTS: 'docs.example.com, https://docs.example.com',
        TRIFOLD_KUBE_PORT: 'many',
        TRIFOLD_LOG_LEVEL: 'loud',
        TRIFOLD_LIVE_KEY: `${secret}x`,
        TRIFOLD_TEST_KEY: secret,
      },
    });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    for (const variable of ['PORT', 'HOSTS', 'KUBE_PORT', 'LOG_LEVEL', 'LIVE_KEY', 'TEST_KEY']) {
      expect(service.stderr).toMatch(new RegExp(`TRIFOLD_${variable}\\b`));
    }
    expect(service.output).not.toContain(secret.slice(8));
    expect(service.stderr).not.toMatch(NO_STACK);
    expect(service.stdout).toBe('');
  });

  it.each([
    ['/nowhere/chromium', 'is not there'],
    ['/bin/cat', 'is not a browser'],
  ])('names an unusable browser: %s, which %s', async (browser) => {
    await expectOneLine({ environment: { TRIFOLD_BROWSER: browser } }, [browser, 'TRIFOLD_BROWSER']);
  });

  it.each(['192.0.2.1', 'no host'])('reports an address that is not on this machine: %s', async (host) => {
    await expectOneLine({ environment: { TRIFOLD_HOST: host } }, [host, 'TRIFOLD_HOST', '127.0.0.1']);
  });

  it('reports the variable for a port that is in use, for the API and for kubectl', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      for (const variable of ['TRIFOLD_PORT', 'TRIFOLD_KUBE_PORT']) {
        await expectOneLine({ environment: { [variable]: String(port) } }, [
          `port ${port} `,
          `set ${variable} `,
        ]);
      }
    } finally {
      taken.close();
    }
  });

  it.runIf(process.platform === 'linux')('allows a home directory that does not exist', async () => {
    await launch({ data: await freshDirectory(), environment: { HOME: '/proc/trifold' } }).ready();
  });
});

describe('An unusable data directory', () => {
  it('is reported with its variable if it is a file or is below one', async () => {
    const file = join(await freshDirectory(), 'file');
    await writeFile(file, 'in the way');
    for (const data of [file, join(file, 'data')]) await expectOneLine({ data }, [data, 'TRIFOLD_DATA']);
  });

  it.runIf(process.platform === 'linux')(
    'is reported with its variable if it cannot be created',
    async () => {
      await expectOneLine({ data: '/proc/trifold/data' }, ['/proc/trifold/data', 'TRIFOLD_DATA']);
    },
  );

  const DAMAGES: [string, string, (file: string) => Promise<unknown>][] = [
    ['a database of random bytes', 'control-plane.sqlite', (file) => writeFile(file, randomBytes(8192))],
    ['a directory in place of the database', 'control-plane.sqlite', (file) => mkdir(file)],
    ['a lock file of random bytes', 'lock', (file) => writeFile(file, randomBytes(8192))],
    ['a directory in place of the kubeconfig', 'kubeconfig', (file) => mkdir(file)],
    ['a file in place of the object store', 'objects', (file) => writeFile(file, '')],
  ];

  it.each(DAMAGES)('is reported with the path of the problem: %s', async (_, name, damage) => {
    const data = await freshDirectory();
    await damage(join(data, name));
    await expectOneLine({ data }, [join(data, name)]);
  });

  it('is reported if its database is damaged after the header', async () => {
    const data = await freshDirectory();
    const first = await launch({ data, keys: inventKeys() }).ready();
    for (let count = 0; count < 20; count += 1) await first.live.createTemplate();
    await first.stop();
    const file = join(data, 'control-plane.sqlite');
    const content = await readFile(file);
    await writeFile(file, Buffer.concat([content.subarray(0, 4096), randomBytes(content.length - 4096)]));
    await expectOneLine({ data }, [file, 'damaged']);
  });

  it('is reported if its certificates are damaged', async () => {
    const data = await freshDirectory();
    await mkdir(join(data, 'tls'));
    for (const name of ['ca.crt', 'ca.key']) await writeFile(join(data, 'tls', name), 'noise');
    await expectOneLine({ data }, [join(data, 'tls'), 'damaged']);
  });
});

it('A data directory serves one process at a time: a second one fails with a message and does no damage', async () => {
  const first = await freshService();
  const { id } = await first.live.createTemplate();
  const second = launch({ data: first.data });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stderr).toContain(first.data);
  expect(second.stderr).toMatch(/another|in use|already/i);
  expect(second.stderr).not.toMatch(NO_STACK);
  expect((await first.live.get(`/v1/templates/${id}`)).status).toBe(200);
  await first.live.generate(id, { name: 'Ada' });
});
