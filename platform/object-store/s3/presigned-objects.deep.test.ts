import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { minioProgram, startMinio } from '@trifold/test-support/processes/minio.ts';
import type { S3Server } from '@trifold/test-support/processes/s3-server.ts';
import { startVersityGateway, versityProgram } from '@trifold/test-support/processes/versity.ts';
import { createLogger } from '../../process/logging.ts';
import type { PresignedRequest } from '../port.ts';
import { PresignedObjects } from './presigned-objects.ts';
import { loadS3Config } from './s3-config.ts';
import { S3Store } from './s3-store.ts';

const SERVERS = [
  ['MinIO', minioProgram(), startMinio],
  ['Versity S3 Gateway', versityProgram(), startVersityGateway],
] as const;

for (const [name, program, start] of SERVERS) {
  const isMissing = program === undefined && !process.env['CI'];
  if (isMissing) console.warn(`skipped: there is no ${name}`);

  describe.skipIf(isMissing)(`Presigned requests to ${name}`, () => {
    let server: S3Server;
    let store: S3Store;
    let objects: PresignedObjects;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server?.stop());
    beforeEach(async () => {
      const config = loadS3Config({ ...server.environment, TRIFOLD_S3_BUCKET: `bucket-${randomUUID()}` });
      store = new S3Store(config, { logger: createLogger({ level: 'silent', name: 'test' }) });
      objects = new PresignedObjects();
      await store.prepare();
      await store.put('revisions/acme/one', 'a template');
    });
    afterEach(() => {
      store.close();
      objects.close();
    });

    const SIGNED = { job: 'gen-1', filename: 'UsSH0YfRkdGC', note: 'two  spaces' };
    const RESULT = { 'result-pages': '2', 'result-sha256': 'ab12' };
    const presign = async (validForMs = 60_000) => {
      const { requests } = await store.presign(
        {
          read: ['revisions/acme/one'],
          head: ['documents/x/acme/one'],
          put: { key: 'documents/x/acme/one', metadata: SIGNED },
        },
        validForMs,
      );
      return { requests, allowed: objects.open(requests) };
    };
    const put = (requests: readonly PresignedRequest[], added: Record<string, string> = RESULT) =>
      objects.open(requests).put('documents/x/acme/one', '%PDF', {
        contentType: 'application/pdf',
        metadata: { ...SIGNED, ...added },
      });

    it('read the objects they name, and put one with all its metadata', async () => {
      const { requests, allowed } = await presign();
      expect((await allowed.read('revisions/acme/one'))?.toString()).toBe('a template');
      expect(await allowed.head('documents/x/acme/one')).toBeUndefined();
      expect(await put(requests)).toEqual({ created: true });
      const stored = await store.head('documents/x/acme/one');
      const metadata = { ...SIGNED, ...RESULT };
      expect(stored).toMatchObject({ size: 4, contentType: 'application/pdf', metadata });
      expect(await allowed.head('documents/x/acme/one')).toEqual(stored);
      expect((await store.read('documents/x/acme/one'))?.toString()).toBe('%PDF');
    });

    it('keep the first of two files, even if the same requests are sent again', async () => {
      const { requests } = await presign();
      expect(await put(requests)).toEqual({ created: true });
      expect(await put(requests, { 'result-pages': '99' })).toEqual({ created: false });
      const other = await presign();
      expect(await put(other.requests, { 'result-pages': '99' })).toEqual({ created: false });
      expect((await store.head('documents/x/acme/one'))?.metadata).toMatchObject(RESULT);
    });

    it('do not change signed values, and add only results', async () => {
      const { requests } = await presign();
      for (const changed of [
        { 'x-amz-meta-job': 'gen-2' },
        { 'x-amz-meta-key-id': 'key-2' },
        { 'if-none-match': 'x' },
      ]) {
        const altered = requests.map((one) => ({ ...one, headers: { ...one.headers, ...changed } }));
        await expect(put(altered)).rejects.toMatchObject({ code: 'unavailable' });
      }
      const { 'if-none-match': _, ...unconditional } = requests.at(-1)!.headers;
      const replacing = put([{ ...requests.at(-1)!, headers: unconditional }]);
      await expect(replacing).rejects.toMatchObject({ code: 'unavailable' });
      expect(await put(requests, { ...RESULT, tombstone: 'true' })).toEqual({ created: true });
      expect((await store.head('documents/x/acme/one'))?.metadata).toEqual({ ...SIGNED, ...RESULT });
    });

    it('cannot reach other objects or do anything else', async () => {
      const { requests, allowed } = await presign();
      await expect(allowed.read('revisions/acme/two')).rejects.toMatchObject({ code: 'invalid_key' });
      const [read] = requests;
      const elsewhere = { ...read!, url: read!.url.replace('acme/one', 'acme/two') };
      await expect(objects.open([elsewhere]).read(read!.key)).rejects.toThrow('HTTP 403');
      expect((await fetch(read!.url, { method: 'DELETE' })).status).toBe(403);
      expect((await fetch(read!.url, { method: 'PUT', body: 'x' })).status).toBe(403);
      const bucket = new URL('..', new URL('..', read!.url));
      expect(
        (await fetch(`${bucket.href}?list-type=2${new URL(read!.url).search.replace('?', '&')}`)).ok,
      ).toBe(false);
    });

    it('expire', async () => {
      const { allowed } = await presign(1_000);
      await eventually(() => expect(allowed.read('revisions/acme/one')).rejects.toThrow('HTTP 403'), {
        timeoutMs: 20_000,
      });
    });
  });
}
