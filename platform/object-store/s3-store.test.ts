import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { minioProgram, startMinio, type Minio } from '../../test/support/minio.ts';
import { createLogger } from '../logging.ts';
import { describeObjectStore } from './object-store-conformance.ts';
import { loadS3Config } from './s3-config.ts';
import { S3Store } from './s3-store.ts';

const missing = !minioProgram();
if (missing && !process.env['CI']) {
  console.warn('skipped: TRIFOLD_TEST_MINIO names no MinIO server, and there is none on PATH');
}

describe.skipIf(missing && !process.env['CI'])('a bucket of a real MinIO', () => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  let minio: Minio;
  const newConfig = () => loadS3Config({ ...minio.environment, TRIFOLD_S3_BUCKET: `bucket-${randomUUID()}` });

  beforeAll(async () => {
    minio = await startMinio();
  });
  afterAll(() => minio?.stop());

  describeObjectStore('S3', async () => {
    const config = newConfig();
    const store = new S3Store(config, { logger });
    await store.prepare();
    return { store, close: async () => store.close() };
  });
});
