import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTokenIssuer, type TokenIssuer } from '@trifold/test-support/http/token-issuer.ts';
import { minioProgram, startMinio } from '@trifold/test-support/processes/minio.ts';
import type { S3Server } from '@trifold/test-support/processes/s3-server.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { createLogger } from '../../process/logging.ts';
import { loadS3Config } from './s3-config.ts';
import { S3Store } from './s3-store.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token like those that Kubernetes issues for service accounts. */
function tokenFor(policy: string): string {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const content = `${encoded({ alg: 'RS256', kid: 'key' })}.${encoded({ sub: 'pod', aud: 'trifold', policy, exp })}`;
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}

describe.skipIf(!minioProgram() && !process.env['CI'])('S3Store with a MinIO web identity', () => {
  let issuer: TokenIssuer;
  let minio: S3Server;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trifold-identity-'));
    const key = { ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' };
    issuer = await startTokenIssuer({ keys: [key] });
    minio = await startMinio({
      settings: {
        MINIO_IDENTITY_OPENID_CONFIG_URL: issuer.url,
        MINIO_IDENTITY_OPENID_CLIENT_ID: 'trifold',
      },
    });
  });
  afterAll(async () => {
    await minio?.stop();
    issuer?.stop();
    await rm(folder, { recursive: true });
  });

  const storeWith = async (token: string) => {
    const { TRIFOLD_S3_ENDPOINT } = minio.environment;
    const file = join(folder, 'token');
    await writeFile(file, token);
    const identity = { AWS_ENDPOINT_URL_STS: TRIFOLD_S3_ENDPOINT, AWS_WEB_IDENTITY_TOKEN_FILE: file };
    const config = loadS3Config({ TRIFOLD_S3_ENDPOINT, ...identity });
    return new S3Store(config, { logger: createLogger({ name: 'test', level: 'silent' }) });
  };

  it('prepares a bucket and stores an object without configured keys', async () => {
    // MinIO accepts connections before it has loaded its policies.
    const store = await eventually(async () => {
      const candidate = await storeWith(tokenFor('consoleAdmin'));
      await candidate.prepare();
      return candidate;
    });
    expect(await store.put('a', 'x', { ifAbsent: true, metadata: { pages: '2' } })).toEqual({
      created: true,
    });
    expect((await store.read('a'))?.toString()).toBe('x');
    expect(await store.head('a')).toMatchObject({ metadata: { pages: '2' } });
    expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['a']);
    expect(await store.deletePrefix('a/')).toBe(0);
    await store.delete('a');
    store.close();
  });
});
