import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../process/logging.ts';
import { loadS3Config } from './s3-config.ts';
import { S3Store } from './s3-store.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const MINUTE_MS = 60_000;
const TOKEN = 'token-of-the-identity';

interface Call {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('S3 credentials from a workload identity', () => {
  let folder: string;
  let origin: string;
  /** Responds to credential service calls; the URL has their path. */
  let respond: (call: Call) => { status?: number; body: string };
  let calls: Call[];
  let stored: IncomingHttpHeaders[];

  beforeEach(async () => {
    folder = testDirectory();
    await writeFile(join(folder, 'token'), `${TOKEN}\n`);
    [calls, stored] = [[], []];
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      const call = { url: request.url ?? '', headers: request.headers, body: await text(request) };
      if (call.url.startsWith('/trifold/')) {
        stored.push(call.headers);
        return response.end();
      }
      calls.push(call);
      const { status = 200, body } = respond(call);
      response.writeHead(status).end(body);
    };
    const server = createServer((request, response) => void serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return async () => {
      server.close();
      server.closeAllConnections();
    };
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const newStore = (environment: Record<string, string>) => {
    const config = loadS3Config({ TRIFOLD_S3_ENDPOINT: origin, ...environment });
    const store = new S3Store(config, { logger: createLogger({ name: 'test', level: 'silent' }) });
    onTestFinished(() => store.close());
    return store;
  };

  const webIdentity = () => ({
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/trifold',
    AWS_ENDPOINT_URL_STS: `${origin}/sts`,
  });

  const sts = (number: number, lifeMs: number) => ({
    body: `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
      <AccessKeyId>access-${number}</AccessKeyId><SecretAccessKey>secret-${number}</SecretAccessKey>
      <SessionToken>session-${number}</SessionToken>
      <Expiration>${new Date(Date.now() + lifeMs).toISOString()}</Expiration>
      </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
  });

  const expectSignedBy = (number: number, headers: IncomingHttpHeaders | undefined) => {
    expect(headers).toMatchObject({
      'x-amz-security-token': `session-${number}`,
      authorization: expect.stringMatching(
        new RegExp(`Credential=access-${number}/.*SignedHeaders=[^,]*x-amz-security-token`),
      ),
    });
  };

  it('exchanges the web identity token once and signs every request with the session', async () => {
    respond = () => sts(1, 60 * MINUTE_MS);
    const store = newStore(webIdentity());
    await Promise.all([store.put('a', 'x'), store.put('b', 'x'), store.put('c', 'x')]);
    await store.put('d', 'x');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.url).toBe('/sts');
    expect(Object.fromEntries(new URLSearchParams(calls[0]?.body))).toEqual({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/trifold',
      RoleSessionName: 'trifold',
      WebIdentityToken: TOKEN,
    });
    expect(stored).toHaveLength(4);
    for (const headers of stored) expectSignedBy(1, headers);
  });

  it('renews credentials in the background, with the current token, before they expire', async () => {
    respond = () => sts(calls.length, calls.length === 1 ? 3 * MINUTE_MS : 60 * MINUTE_MS);
    const store = newStore(webIdentity());
    await store.put('a', 'x');
    await writeFile(join(folder, 'token'), 'rotated-token');
    await eventually(async () => {
      await store.put('b', 'x');
      expectSignedBy(2, stored.at(-1));
    });
    expectSignedBy(1, stored[0]);
    expect(calls).toHaveLength(2);
    expect(new URLSearchParams(calls[1]?.body).get('WebIdentityToken')).toBe('rotated-token');
  });

  it('waits for new credentials when the old ones are about to expire', async () => {
    respond = () => sts(calls.length, calls.length === 1 ? 5000 : 60 * MINUTE_MS);
    const store = newStore(webIdentity());
    await store.put('a', 'x');
    await store.put('b', 'x');
    expectSignedBy(1, stored[0]);
    expectSignedBy(2, stored[1]);
  });

  it('uses valid credentials while a renewal fails, and reports the failure after they expire', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    respond = () => (calls.length === 1 ? sts(1, 3 * MINUTE_MS) : { status: 503, body: '' });
    const store = newStore(webIdentity());
    await store.put('a', 'x');
    await store.put('b', 'x');
    await eventually(() => expect(calls).toHaveLength(2));
    for (let again = 0; again < 10; again += 1) await store.put('c', 'x');
    expect(calls).toHaveLength(2);
    for (const headers of stored) expectSignedBy(1, headers);
    vi.setSystemTime(Date.now() + 3 * MINUTE_MS);
    await expect(store.put('d', 'x')).rejects.toThrow('no credentials from the web identity token: HTTP 503');
    respond = () => sts(2, 60 * MINUTE_MS);
    await store.put('e', 'x');
    expectSignedBy(2, stored.at(-1));
  });

  it('uses the EKS Pod Identity endpoint', async () => {
    respond = () => ({
      body: JSON.stringify({
        AccessKeyId: 'access-1',
        SecretAccessKey: 'secret-1',
        Token: 'session-1',
        Expiration: new Date(Date.now() + 60 * MINUTE_MS).toISOString(),
      }),
    });
    const store = newStore({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(folder, 'token'),
    });
    await store.put('a', 'x');
    expect(calls).toMatchObject([{ url: '/v1/credentials', headers: { authorization: TOKEN } }]);
    expectSignedBy(1, stored[0]);
  });

  it('explains that there is neither an identity nor a key', async () => {
    const store = newStore({});
    await expect(store.put('a', 'x')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(
        'no credentials: without a workload identity, set TRIFOLD_S3_ACCESS_KEY',
      ),
    });
  });

  it('prefers configured keys', async () => {
    const keys = { TRIFOLD_S3_ACCESS_KEY: 'configured', TRIFOLD_S3_SECRET_KEY: 'configured' };
    const store = newStore({ ...webIdentity(), ...keys });
    await store.put('a', 'x');
    expect(calls).toEqual([]);
    expect(stored[0]?.authorization).toContain('Credential=configured/');
    expect(stored[0]).not.toHaveProperty('x-amz-security-token');
  });

  it.each([
    [
      403,
      '<ErrorResponse><Error><Code>ExpiredToken</Code></Error></ErrorResponse>',
      'HTTP 403: ExpiredToken',
    ],
    [200, `<html>${TOKEN}</html>`, 'the response has no credentials'],
  ])('reports why there are no credentials, without secrets: %i %s', async (status, body, reason) => {
    respond = () => ({ status, body });
    const store = newStore(webIdentity());
    const error = await store.put('a', 'x').catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'unavailable', retryable: true });
    expect((error as Error).message).toContain(`no credentials from the web identity token: ${reason}`);
    expect((error as Error).message).toContain('set TRIFOLD_S3_ACCESS_KEY');
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(TOKEN);
    expect(stored).toEqual([]);
  });
});
