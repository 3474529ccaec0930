import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Client } from 'minio';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { minioProgram, startMinio } from '@trifold/test-support/processes/minio.ts';
import type { S3Server } from '@trifold/test-support/processes/s3-server.ts';
import { createLogger } from '../../process/logging.ts';
import { describeObjectStore } from '../object-store-conformance.ts';
import { loadS3Config, type S3Config } from './s3-config.ts';
import { S3Store } from './s3-store.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const missing = !minioProgram();
if (missing && !process.env['CI']) {
  console.warn('skipped: TRIFOLD_TEST_MINIO names no MinIO server, and there is none on PATH');
}

describe.skipIf(missing && !process.env['CI'])('S3Store with a real MinIO', () => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  let minio: S3Server;
  const newConfig = () => loadS3Config({ ...minio.environment, TRIFOLD_S3_BUCKET: `bucket-${randomUUID()}` });

  beforeAll(async () => {
    minio = await startMinio({ settings: { MINIO_SITE_REGION: 'us-east-1' } });
  });
  afterAll(() => minio?.stop());

  describeObjectStore('S3', async () => {
    const store = new S3Store(newConfig(), { logger });
    await store.prepare();
    return { store, close: async () => store.close() };
  });

  describe('with a bucket', () => {
    let config: S3Config;
    let store: S3Store;
    let admin: Client;

    beforeEach(() => {
      config = newConfig();
      store = new S3Store(config, { logger });
      const { hostname, port } = new URL(config.endpoint);
      admin = new Client({
        accessKey: minio.environment.TRIFOLD_S3_ACCESS_KEY,
        secretKey: minio.environment.TRIFOLD_S3_SECRET_KEY,
        endPoint: hostname,
        port: Number(port),
        useSSL: false,
        region: 'us-east-1',
      });
      return () => store.close();
    });

    const lifecycle = async () =>
      text(await admin.makeRequestAsync({ method: 'GET', bucketName: config.bucket, query: 'lifecycle' }));

    it.each<[string, Record<string, string>, number, string]>([
      [
        'an unknown access key',
        { TRIFOLD_S3_ACCESS_KEY: 'nobody' },
        0,
        'does not recognize TRIFOLD_S3_ACCESS_KEY',
      ],
      [
        'a wrong secret key',
        { TRIFOLD_S3_SECRET_KEY: 'x'.repeat(40) },
        0,
        'TRIFOLD_S3_SECRET_KEY does not belong',
      ],
      ['another region', { TRIFOLD_S3_REGION: 'mars-1' }, 0, 'set TRIFOLD_S3_REGION to it'],
      ['a clock one hour ahead', {}, 3_600_000, "is 60 minutes ahead of the store's"],
      ['https to a plain port', { scheme: 'https' }, 0, 'may not use TLS'],
    ])(
      'names the cause at the first start: %s',
      async (_, { scheme = 'http', ...changed }, skewMs, words) => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs });
        onTestFinished(() => void vi.useRealTimers());
        const endpoint = minio.environment.TRIFOLD_S3_ENDPOINT.replace('http', scheme);
        const environment = { ...minio.environment, TRIFOLD_S3_ENDPOINT: endpoint, ...changed };
        const wrong = new S3Store(loadS3Config(environment), { logger });
        onTestFinished(() => wrong.close());
        await expect(wrong.prepare()).rejects.toThrow(words);
      },
    );

    it('recreates a bucket that was removed', async () => {
      await store.prepare();
      await admin.removeObject(config.bucket, '@trifold/if-none-match');
      await admin.removeBucket(config.bucket);
      await expect(store.check()).rejects.toThrow('there is no bucket');
      await eventually(() => store.check(), { timeoutMs: 20_000 });
      // The rule is written last.
      await eventually(async () => expect(await lifecycle()).toContain('<Prefix>documents/</Prefix>'), {
        timeoutMs: 20_000,
      });
      expect(await store.put('a', 'x', { ifAbsent: true })).toEqual({ created: true });
    });

    it('can be prepared by many processes concurrently and again later', async () => {
      const stores = Array.from({ length: 8 }, () => new S3Store(config, { logger }));
      await Promise.all(stores.map((each) => each.prepare()));
      await Promise.all(stores.map((each) => each.prepare()));
      for (const each of stores) each.close();
      expect((await lifecycle()).match(/<Rule>/g)).toHaveLength(1);
      expect(await store.list('')).toEqual({ objects: [], prefixes: [] });
    });

    it("keeps an administrator's rules and changes to its own rule", async () => {
      await admin.makeBucket(config.bucket, config.region);
      const rule = (id: string, prefix: string, days: number) =>
        `<Rule><ID>${id}</ID><Status>Enabled</Status><Filter><Prefix>${prefix}</Prefix></Filter><Expiration><Days>${days}</Days></Expiration></Rule>`;
      const write = async (rules: string) => {
        const body = `<LifecycleConfiguration>${rules}</LifecycleConfiguration>`;
        const headers = md5Of(body);
        const request = { method: 'PUT', bucketName: config.bucket, query: 'lifecycle', headers };
        await admin.makeRequestAsyncOmit(request, Buffer.from(body));
      };
      await write(rule('007', '0012/', 30));
      await store.prepare();
      const both = await lifecycle();
      expect(both).toContain('<ID>007</ID>');
      expect(both).toContain('<Prefix>0012/</Prefix>');
      expect(both.match(/<Rule>/g)).toHaveLength(2);

      const changed = both.replace('<Days>2</Days>', '<Days>9</Days>');
      await write(/<Rule>.*<\/Rule>/s.exec(changed)?.[0] ?? '');
      await store.prepare();
      expect(await lifecycle()).toContain('<Days>9</Days>');
      expect((await lifecycle()).match(/<Rule>/g)).toHaveLength(2);
    });

    it('skips foreign objects in the bucket', async () => {
      await store.prepare();
      await store.put('a/b', 'x');
      for (const name of ['README', 'a/README', 'a/with blank@', 'ü/@', 'a/b@/c']) {
        await admin.putObject(config.bucket, name, 'foreign');
      }
      expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['a/b']);
      expect((await store.list('', { delimiter: '/' })).prefixes).toEqual(['a/']);
      expect(await store.read('README')).toBeUndefined();
      expect(await store.deletePrefix('a/')).toBe(1);
      expect((await admin.statObject(config.bucket, 'a/README')).size).toBe(7);
    });

    it('adds its suffix to the object name and writes standard headers', async () => {
      await store.prepare();
      await store.put('documents/x/acme/gen-1', '%PDF', {
        contentType: 'application/pdf',
        metadata: { pages: '2', filename: 'Счёт.pdf' },
      });
      const stat = await admin.statObject(config.bucket, 'documents/x/acme/gen-1@');
      expect(stat.metaData).toMatchObject({ 'content-type': 'application/pdf', pages: '2' });
      expect(stat.metaData['filename']).toBe(`base64:${Buffer.from('Счёт.pdf').toString('base64url')}`);
    });
  });
});

const md5Of = (body: string) => ({ 'content-md5': createHash('md5').update(body).digest('base64') });
