import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadS3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import { S3Store } from '@trifold/platform/object-store/s3/s3-store.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { findKubectl, Kubectl } from '@trifold/test-support/kubernetes/kubectl.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
} from '@trifold/test-support/kubernetes/kube-apiserver.ts';
import { minioProgram, startMinio } from '@trifold/test-support/processes/minio.ts';
import { RedisServer, whyNoRedis, type RedisServerOptions } from '@trifold/test-support/processes/redis.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { resultOf, type Check } from './check.ts';
import { CLUSTER_CHECKS } from './cluster-checks.ts';
import { STORE_CHECKS } from './store-checks.ts';
import { TestBrowser } from './test-browser.ts';

const LENGTHY_MS = 180_000;

async function check(name: string, environment: Readonly<Record<string, string>>) {
  const found = [...STORE_CHECKS, ...CLUSTER_CHECKS].find((each) => each.name === name) as Check;
  return resultOf(found, { environment, browser: new TestBrowser({}) }, []);
}

describe.skipIf(whyNoRedis() !== undefined)('A real Redis', () => {
  it.each<[string, RedisServerOptions, object]>([
    ['is fine', { appendOnly: true }, { status: 'ok' }],
    [
      'may evict tasks',
      { appendOnly: true, settings: { 'maxmemory-policy': 'allkeys-lru' } },
      { status: 'warning', remedy: 'set its maxmemory-policy to noeviction' },
    ],
    ['loses tasks', {}, { status: 'warning', detail: expect.stringContaining('append-only') as string }],
    [
      'needs a password',
      { password: 'x' },
      { status: 'error', detail: expect.stringMatching(/auth/i) as string },
    ],
  ])('%s', async (_what, options, expected) => {
    const redis = await RedisServer.start(options);
    onTestFinished(() => redis.stop());
    expect(await check('redis', { TRIFOLD_REDIS_URL: redis.url })).toMatchObject(expected);
  });
});

describe.skipIf(minioProgram() === undefined && !process.env['CI'])('A real object store', () => {
  it('is used as the services use it, and left unchanged', async () => {
    const minio = await startMinio();
    onTestFinished(() => minio.stop());
    const { environment } = minio;
    expect(await check('object-store', environment)).toMatchObject({
      status: 'error',
      detail: expect.stringContaining('there is no bucket trifold') as string,
    });
    const logger = createLogger({ level: 'silent', name: 'test' });
    const store = new S3Store(loadS3Config(environment), { logger });
    onTestFinished(() => store.close());
    await store.prepare();
    expect(await check('object-store', environment)).toMatchObject({ status: 'ok' });
    expect(await check('clock', environment)).toMatchObject({ status: 'ok' });
    expect(await store.list('')).toEqual({ objects: [], prefixes: [] });
    const wrong = { ...environment, TRIFOLD_S3_SECRET_KEY: 'wrong' };
    expect(await check('object-store', wrong)).toMatchObject({
      status: 'error',
      detail: expect.stringContaining('TRIFOLD_S3_SECRET_KEY does not belong') as string,
    });
  });
});

const kubectlProgram = await findKubectl();
const noCluster = (!kubectlProgram || !kubeApiServerPrograms()) && !process.env['CI'];
describe.skipIf(noCluster)('A real API server', () => {
  it(
    'has all kinds and shows which rights an identity lacks',
    async () => {
      const server = await startKubeApiServer({ authorization: 'RBAC' });
      onTestFinished(() => server.stop());
      const admin = { KUBECONFIG: server.kubeconfig };
      for (const name of ['kubernetes', 'kinds', 'rights']) {
        expect(await check(name, admin)).toMatchObject({ name, status: 'ok' });
      }
      const kubeconfig = await readFile(server.kubeconfig, 'utf8');
      const kubectl = await Kubectl.make(kubectlProgram ?? 'kubectl', kubeconfig);
      onTestFinished(() => kubectl.remove());
      await kubectl.ok(['create', 'serviceaccount', 'guest', '-n', 'default']);
      const token = (await kubectl.ok(['create', 'token', 'guest', '-n', 'default'])).trim();
      const file = path.join(testDirectory(), 'kubeconfig');
      const config = parse(kubeconfig) as { users: { user: object }[] };
      config.users[0]!.user = { token };
      await writeFile(file, JSON.stringify(config));
      expect(await check('rights', { KUBECONFIG: file })).toMatchObject({
        status: 'warning',
        detail: expect.stringMatching(/may not: create templates, .*patch events/) as string,
      });
    },
    LENGTHY_MS,
  );
});
