import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { isKnown, run, trifold, trifoldHere } from '../support/keys-command.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';

const KEY_LINE = /^tf_(live|test)_[A-Za-z0-9]{43}\n$/;
const STACK = /\n\s+at |node:internal/;
let service: ServiceProcess;

beforeAll(async () => {
  service = await new ServiceProcess({ data: await temporaryDirectory(), keys: inventKeys() }).ready();
});
afterAll(async () => {
  await service.stop();
  await removeDirectory(service.data);
});

const words = (...args: string[]) => ['keys', 'create', '--kubeconfig', service.kubeconfig, ...args];
const create = (...args: string[]) => trifold(words(...args));

describe('trifold keys list and revoke', () => {
  it('show a key and disable it', async () => {
    const { key, ...created } = JSON.parse((await create('--account', 'default', '--json')).stdout) as {
      readonly id: string;
      readonly key: string;
    };
    expect(created).toMatchObject({ account: 'default', type: 'live' });
    const api = new Api(service.url, key);
    await eventually(() => isKnown(api));
    const on = (...args: string[]) =>
      trifoldHere(['keys', ...args, '--account', 'default', '--kubeconfig', service.kubeconfig]);
    const listed = await on('list', '--json');
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ id: created.id, type: 'live', last_four: key.slice(-4) }),
    );
    expect((await on('list')).stdout).toContain(`${created.id}  live  …${key.slice(-4)}  `);
    const revoked = await on('revoke', '--id', created.id);
    expect(revoked.stderr).toBe(`deleted key ${created.id} of account default\n`);
    await eventually(async () => !(await isKnown(api)));
    expect(await on('revoke', '--id', created.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the account default has no key') as string,
    });
  });
});

describe('trifold keys create', () => {
  it('creates a working key and prints only the key to standard output', async () => {
    const result = await create('--account', 'default', '--name', 'Mine');
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toMatch(KEY_LINE);
    const api = new Api(service.url, result.stdout.trim());
    await eventually(() => isKnown(api));
    const { id } = await api.createTemplate();
    await api.generate(id, { name: 'Ada' });
  });

  it('creates a missing account, separate from the others, and grants only the requested scopes', async () => {
    await service.live.createTemplate();
    const scopes = 'templates:read, documents:generate';
    const { stdout } = await create('--account', 'new-account', '--type', 'test', '--scopes', scopes);
    expect(stdout).toMatch(/^tf_test_/);
    const api = new Api(service.url, stdout.trim());
    await eventually(() => isKnown(api));
    expect((await api.get('/v1/templates')).json()).toMatchObject({ data: [] });
    const yourScopes = ['templates:read', 'documents:generate'];
    const rejected = await api.post('/v1/templates', {});
    expect(rejected.json()).toMatchObject({ missingScopes: ['templates:write'], yourScopes });
  });

  it('finds the kubeconfig in KUBECONFIG and runs under npx', async () => {
    const env = { ...process.env, KUBECONFIG: service.kubeconfig };
    const result = await run('npx', ['--no', 'trifold', 'keys', 'create', '--account', 'default'], { env });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toMatch(KEY_LINE);
  });

  it.each([[[]], [['--help']], [['help']], [['keys', 'create', '--help']]])(
    'prints its usage for %j',
    async (args) => {
      const result = await trifoldHere(args);
      expect(result.code).toBe(0);
      expect(result.stdout).toMatch(/keys create --account/);
      expect(result.stdout).toContain('documents:generate');
    },
  );

  it('exits with 2 for a usage error', async () => {
    const result = await create('--colour', 'red');
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('colour') });
    expect(result.stderr).not.toMatch(STACK);
  });

  it.each<[string, string[], RegExp]>([
    ['no account', [], /--account/],
    ['an empty account', ['--account', ''], /account/],
    ['an account that cannot be a namespace', ['--account', 'Not A Namespace!'], /Not A Namespace!/],
    ['an unknown scope', ['--account', 'default', '--scopes', 'templates:read,everything'], /everything/],
    ['an empty list of scopes', ['--account', 'default', '--scopes', ''], /scope/],
    ['an unknown type', ['--account', 'default', '--type', 'dead'], /dead/],
    ['an option without its value', ['--account'], /account/],
    ['an empty name', ['--account', 'default', '--name', ''], /name/i],
    ['an extra argument', ['--account', 'default', 'please'], /please/],
    ['no Secret', ['--account', 'default', '--secret-namespace', 'default'], /--secret/],
    ['an empty Secret name', ['--account', 'default', '--secret', ''], /--secret/],
    ['an invalid Secret name', ['--account', 'default', '--secret', 'Not A Name'], /Not A Name/],
  ])('explains the error and creates nothing: %s', async (_what, args, message) => {
    const result = await trifoldHere(words(...args));
    expect(result.code).toBeGreaterThan(0);
    expect(result.stderr).toMatch(message);
    expect(result.stdout).toBe('');
  });

  it.each([[['keys']], [['keys', 'destroy']], [['templates', 'create']]])(
    'rejects the unknown command %j',
    async (args) => {
      const result = await trifoldHere(args);
      expect(result.code).toBeGreaterThan(0);
      expect(result.stderr).toMatch(/unknown command/);
      expect(result.stdout).toBe('');
    },
  );

  it.each<[string, (text: string) => string]>([
    ['is missing', () => ''],
    ['is not YAML', () => '{ : ]['],
    ['is empty', () => ''],
    ['has no cluster', () => 'apiVersion: v1\nkind: Config\n'],
    ['has a wrong token', (text) => text.replace(/"token": "[^"]+/, '"token": "wrong')],
    ['has a different CA', (text) => text.replace(/authority-data": "[^"]+/, 'authority-data": "bm9uZQ==')],
    ['names a silent server', (text) => text.replace(/"server": "[^"]+/, '"server": "https://127.0.0.1:1')],
  ])('exits with 1 and a message if the kubeconfig %s', async (what, change) => {
    const file = join(service.data, `kubeconfig-${what.replaceAll(' ', '-')}`);
    const text = change(await readFile(service.kubeconfig, 'utf8'));
    if (what !== 'is missing') await writeFile(file, text, { mode: 0o600 });
    const result = await trifoldHere(['keys', 'create', '--account', 'default', '--kubeconfig', file]);
    expect(result.code, result.stderr).toBe(1);
    expect(result.stderr).toMatch(/^trifold: \S.{10,}/);
    expect(result.stderr).not.toMatch(STACK);
    expect(result.stdout).toBe('');
  });
});
