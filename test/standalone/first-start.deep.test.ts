import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Api } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { run } from '../support/keys-command.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshDirectory, launch } from './fresh-service.ts';

const ANY_KEY = /tf_(live|test)_[A-Za-z0-9]{43}/g;

const keysIn = (text: string) => [...new Set(text.match(ANY_KEY) ?? [])];

/** Returns the files below the directory that contain the string, raw or in a common encoding. */
async function filesWith(directory: string, text: string): Promise<string[]> {
  const encoded = [Buffer.from(text).toString('base64').slice(0, 60), Buffer.from(text).toString('hex')];
  const needles = [text, text.slice(8), ...encoded];
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      return needles.some((needle) => content.includes(needle)) ? [file] : [];
    }),
  );
  expect(files.length).toBeGreaterThan(3);
  return found.flat();
}

/** Returns the curl command that the service printed, as a user would copy it. */
function printedCurl(service: ServiceProcess): string {
  const lines = service.stdout.split('\n');
  const first = lines.findIndex((line) => /^\s*curl /.test(line));
  expect(first, service.stdout).toBeGreaterThanOrEqual(0);
  const length = lines.slice(first).findIndex((line) => !line.trimEnd().endsWith('\\')) + 1;
  return lines.slice(first, first + length).join('\n');
}

describe('The first start', () => {
  it('shows each generated key once, the live key in a working command; later starts show none', async () => {
    const data = await freshDirectory();
    const first = await launch({ data }).ready();

    const keys = keysIn(first.stdout);
    expect(keys.map((key) => key.slice(0, 8)).sort()).toEqual(['tf_live_', 'tf_test_']);
    for (const key of keys) expect(first.stdout.split(key)).toHaveLength(2);
    expect(keysIn(first.stderr)).toEqual([]);
    expect(first.stdout).toMatch(/^Dashboard: +http:\/\/127\.0\.0\.1:\d+\/dashboard\/#token=[\w-]{43}$/m);
    const live = keys.find((key) => key.startsWith('tf_live_')) as string;
    const test = keys.find((key) => key.startsWith('tf_test_')) as string;

    const command = printedCurl(first);
    expect(command).toContain(live);
    const pasted = await run('sh', ['-c', command], { cwd: data });
    expect(pasted.code, pasted.stderr).toBe(0);
    expect(await textOf(await readFile(join(data, 'hello.pdf')))).toBe('Hello World');
    const { id } = await new Api(first.url, live).createTemplate();
    expect((await new Api(first.url, test).get(`/v1/templates/${id}`)).status).toBe(200);
    await new Api(first.url, live).generate(id, { name: 'Ada' });
    expect(await first.stop()).toEqual({ code: 0, signal: null });

    const second = await launch({ data }).ready();
    expect(keysIn(second.stdout + second.stderr)).toEqual([]);
    expect(second.stdout).toContain(`${second.url}/docs/`);
    expect(second.stdout).toContain(`${second.url}/dashboard/#token=`);
    expect(second.stdout).toContain(`npx --no trifold dashboard --data ${data}`);
    expect(second.stdout).toContain('npx --no trifold keys create --account default --kubeconfig ');
    expect((await new Api(second.url, live).get(`/v1/templates/${id}`)).status).toBe(200);
    expect((await new Api(second.url, test).get(`/v1/templates/${id}`)).status).toBe(200);
    expect(await second.stop()).toEqual({ code: 0, signal: null });

    for (const key of keys) expect(await filesWith(data, key)).toEqual([]);
  });

  it('never prints or stores preset keys, on any start and at any log level', async () => {
    const data = await freshDirectory();
    const keys = inventKeys();
    for (const level of ['debug', 'info']) {
      const service = await launch({ data, keys, environment: { TRIFOLD_LOG_LEVEL: level } }).ready();
      const { id } = await service.live.createTemplate();
      await service.live.generate(id, { name: 'Ada Lovelace, 1843' });
      expect((await service.test.get('/v1/templates')).status).toBe(200);
      await new Api(service.url, `${keys.live.slice(0, -1)}!`).get('/v1/templates');
      await service.live.post('/v1/templates', `{ "broken": "${keys.live}"`);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      const said = service.stdout + service.stderr;
      expect(keysIn(said)).toEqual([]);
      for (const key of [keys.live, keys.test]) expect(said).not.toContain(key.slice(8, 40));
      // Logs must not contain document data either.
      expect(said).not.toContain('Ada Lovelace');
    }
    for (const key of [keys.live, keys.test]) expect(await filesWith(data, key)).toEqual([]);
  });

  it('does not generate keys if it fails; the next start shows them', async () => {
    const data = await freshDirectory();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    for (const variable of ['TRIFOLD_PORT', 'TRIFOLD_KUBE_PORT']) {
      const failed = launch({ data, environment: { [variable]: port } });
      expect(await failed.ended, failed.output).toEqual({ code: 1, signal: null });
      expect(keysIn(failed.output)).toEqual([]);
    }
    taken.close();

    const service = await launch({ data }).ready();
    const [key = ''] = keysIn(service.stdout);
    expect(keysIn(service.stdout)).toHaveLength(2);
    expect((await new Api(service.url, key).get('/v1/templates')).status).toBe(200);
  });

  it('generates only the key that is not preset, and accepts a preset key later', async () => {
    const data = await freshDirectory();
    const keys = inventKeys();
    const first = await launch({ data, environment: { TRIFOLD_LIVE_KEY: keys.live } }).ready();
    expect(keysIn(first.stdout).map((key) => key.slice(0, 8))).toEqual(['tf_test_']);
    expect((await new Api(first.url, keys.live).get('/v1/templates')).status).toBe(200);
    await first.stop();

    const second = await launch({ data, keys }).ready();
    expect(keysIn(second.stdout)).toEqual([]);
    expect((await second.live.get('/v1/templates')).status).toBe(200);
    expect((await second.test.get('/v1/templates')).status).toBe(200);
  });

  it('makes its files accessible only to their owner', async () => {
    const data = join(await freshDirectory(), 'deep', 'er');
    const service = await launch({ data, keys: inventKeys() }).ready();
    const mode = async (file: string) => (await stat(file)).mode & 0o777;
    expect(await mode(service.kubeconfig)).toBe(0o600);
    expect(await mode(data)).toBe(0o700);
  });
});
