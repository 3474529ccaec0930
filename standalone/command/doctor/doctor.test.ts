import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckResult } from './check.ts';
import { doctor } from './doctor.ts';

afterEach(() => void vi.restoreAllMocks());

/** Runs the command with only these variables. */
async function run(environment: Readonly<Record<string, string>>, json = true) {
  let written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text as string;
    return true;
  });
  const code = await doctor({ json }, { TRIFOLD_DATA: testDirectory(), ...environment });
  vi.restoreAllMocks();
  return { code, written };
}

async function statuses(environment: Readonly<Record<string, string>>) {
  const { code, written } = await run({ TRIFOLD_BROWSER: '/bin/false', ...environment });
  const { ok, checks } = JSON.parse(written) as { ok: boolean; checks: CheckResult[] };
  expect(code).toBe(ok ? 0 : 1);
  return new Map(checks.map((check) => [check.name, check]));
}

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('A machine without a cluster passes if its browser prints and nothing else is configured', async () => {
  const { code, written } = await run({ TRIFOLD_BROWSER: process.env['TRIFOLD_BROWSER'] ?? '' }, false);
  expect(code).toBe(0);
  expect(written).toMatch(/^ok +browser +\S*Chrome\/\d+\S* starts and prints a page$/m);
  expect(written).toMatch(/^ok +disk .* can be written and synced/m);
  expect(written).toMatch(/^not configured +redis +TRIFOLD_REDIS_URL is not set$/m);
  expect(written).toMatch(/^not configured +rights /m);
});

it.each<[string, CheckResult['status'], RegExp, Readonly<Record<string, string>>]>([
  ['browser', 'error', /\/bin\/false did not start/, {}],
  ['fonts', 'skipped', /because browser failed/, {}],
  ['settings', 'warning', /TRIFOLD_PROT \(similar: TRIFOLD_PORT\)/, { TRIFOLD_PROT: '1' }],
  ['settings', 'error', /TRIFOLD_PORT/, { TRIFOLD_PORT: 'x' }],
  ['disk', 'error', /\/proc has only 0 MiB/, { TRIFOLD_DATA: '/proc/none' }],
  ['redis', 'error', /ECONNREFUSED/, { TRIFOLD_REDIS_URL: 'redis://127.0.0.1:1' }],
  ['object-store', 'error', /no credentials/, { TRIFOLD_S3_ENDPOINT: 'http://127.0.0.1:1' }],
  ['kubernetes', 'error', /cannot be read/, { KUBECONFIG: '/none' }],
  ['rights', 'skipped', /because kubernetes failed/, { KUBECONFIG: '/none' }],
])('The check %s reports: %s %s', async (name, status, detail, environment) => {
  const found = (await statuses(environment)).get(name);
  expect(found).toMatchObject({ status, detail: expect.stringMatching(detail) as string });
  expect(found?.remedy !== undefined).toBe(status !== 'skipped');
});

it("The clock is compared with the object store's", async () => {
  const url = await serve((_, response) => {
    response.sendDate = false;
    response.writeHead(403, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end();
  });
  expect((await statuses({ TRIFOLD_S3_ENDPOINT: url })).get('clock')).toMatchObject({
    status: 'error',
    detail: "this machine's clock is 60 minutes ahead of the store's: correct it (NTP)",
  });
});

it('An API server without the kinds is an error; an old one is a warning', async () => {
  const url = await serve(({ url: asked }, response) => {
    const known = asked === '/version';
    response.writeHead(known ? 200 : 404).end(known ? '{"gitVersion":"v1.30.2","minor":"30"}' : '{}');
  });
  const file = path.join(testDirectory(), 'kubeconfig');
  const cluster = { server: url, 'certificate-authority-data': '' };
  await writeFile(
    file,
    JSON.stringify({
      clusters: [{ name: 'trifold', cluster }],
      users: [{ name: 'trifold', user: { token: 'none' } }],
      contexts: [{ name: 'trifold', context: { cluster: 'trifold', user: 'trifold' } }],
      'current-context': 'trifold',
    }),
  );
  const found = await statuses({ KUBECONFIG: file });
  expect(found.get('kubernetes')).toMatchObject({
    status: 'warning',
    detail: 'Kubernetes v1.30.2 is older than 1.31',
  });
  expect(found.get('kinds')).toMatchObject({
    status: 'error',
    detail: expect.stringContaining('not installed: ApiKey, Batch') as string,
  });
  expect(found.get('rights')).toMatchObject({ status: 'not configured' });
});
