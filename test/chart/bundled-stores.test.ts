import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/processes/free-ports.ts';
import { OwnedProcess } from '../support/processes/owned-process.ts';
import { redisProgram, whyNoRedis } from '../support/processes/redis.ts';
import { find, findHelm, Helm, type Manifest } from './helm.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const helmProgram = await findHelm();
const noHelm = !helmProgram && !process.env['CI'];
const noRedis = whyNoRedis();
if (noRedis) console.warn(`skipped in part: ${noRedis}`);

/** Runs the commands of the bundled stores' pods with local folders and ports. */
describe.skipIf(noHelm)('Bundled stores', () => {
  const helm = new Helm(helmProgram ?? 'helm');
  let folder: string;
  let port: number;
  let running: OwnedProcess | undefined;

  beforeEach(async () => {
    folder = await temporaryDirectory();
    await mkdir(join(folder, 'data'));
    [port = 0] = await freePorts(1);
  });
  afterEach(async () => {
    await running?.kill();
    running = undefined;
    await removeDirectory(folder);
  });
  afterAll(() => helm.remove());

  const run = (command: string, args: string[], env: Record<string, string>) => {
    const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    running = new OwnedProcess(command, 'env', [...set, command, ...args]);
    return { giveUp: () => running?.failure };
  };
  const containerOf = (manifests: Manifest[], name: string) =>
    find(manifests, 'StatefulSet', name)['spec'].template.spec.containers[0];

  describe.skipIf(noRedis !== undefined)('Redis', () => {
    it.each(['drawn0by1helm', `odd "quotes" and \\back\\slashes, $HOME & 'more'`])(
      'accepts the password %s, keeps written data and does not evict anything',
      async (password) => {
        const manifests = await helm.render();
        const container = containerOf(manifests, 'trifold-redis');
        const text = find(manifests, 'ConfigMap', 'trifold-redis')['data']['redis.conf'] as string;
        const here = text.replace('dir /data', `dir ${folder}/data`).replace('port 6379', `port ${port}`);
        expect(here).not.toMatch(/6379|\/data$/);
        await writeFile(join(folder, 'redis.conf'), here);
        const script = (container.args[0] as string)
          .replaceAll('/etc/trifold/', `${folder}/`)
          .replaceAll('/tmp/redis.conf', `${folder}/data/all.conf`);
        const programs = dirname(redisProgram() ?? '');
        const env = {
          REDISCLI_AUTH: password,
          RENDERER_PASSWORD: `renderer's ${password}`,
          PATH: [programs, process.env['PATH'] ?? ''].filter(Boolean).join(delimiter),
        };
        const [sh, flags] = container.command as [string, string];
        const waiting = run(sh, [flags, script], env);

        const probe = (container.readinessProbe.exec.command as string[]).map((word) =>
          word.replace('redis-cli', `redis-cli -p ${port}`),
        );
        const [program = '', ...words] = probe;
        const ready = (auth: string) =>
          promisify(execFile)(program, words, { env: { ...env, REDISCLI_AUTH: auth } });
        await eventually(async () => (await ready(password)) && true, waiting);
        await expect(ready('wrong')).rejects.toThrow();

        const renderer = new Redis({
          port,
          host: '127.0.0.1',
          username: 'renderer',
          password: env.RENDERER_PASSWORD,
          lazyConnect: true,
        });
        try {
          await renderer.connect();
          expect(await renderer.set('trifold:batch:one', 'x')).toBe('OK');
          await expect(renderer.get('trifold:rate')).rejects.toThrow('NOPERM');
        } finally {
          renderer.disconnect();
        }
        const redis = new Redis({ port, host: '127.0.0.1', password, lazyConnect: true });
        try {
          await redis.connect();
          const setting = async (name: string) => (await redis.config('GET', name))[1];
          expect(await setting('maxmemory-policy')).toBe('noeviction');
          expect(await setting('maxmemory')).toBe(String(192 * 2 ** 20));
          expect(await setting('appendonly')).toBe('yes');
        } finally {
          redis.disconnect();
        }
      },
    );
  });
});
