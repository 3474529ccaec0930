import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { API_KEY, type ApiKey } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { generateKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { mintKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const HOST = 'docs.example.com';
const FROM_PAGE = { host: HOST, origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' };
const WRITING = { ...FROM_PAGE, 'x-trifold-session': '1' };

const clock = new FakeClock();
const gateway = await GatewayFixture.shared({
  clock,
  config: { sessionSecret: 'a secret of at least 32 characters' },
});

/** Sends a request without a key. */
type Method = 'GET' | 'POST' | 'DELETE';
async function send(method: Method, path: string, headers: OutgoingHttpHeaders, body?: unknown) {
  return gateway.call(method, path, { key: '', headers: headers as Record<string, string>, body });
}

const signIn = async (key: string, headers: OutgoingHttpHeaders = FROM_PAGE) =>
  send('POST', '/dashboard/session', headers, { key });

const cookieOf = (response: { headers: OutgoingHttpHeaders }) =>
  String(response.headers['set-cookie']).split(';')[0] ?? '';

async function newKey(scopes: ApiKey['spec']['scopes'] = ['templates:read', 'api-keys:write']) {
  const request = { account: 'acme', name: 'A person', scopes, mode: 'live' } as const;
  const minted = await mintKey(gateway.kubernetes, request, clock.now());
  await eventually(async () => {
    const response = await gateway.call('GET', '/v1/templates', { key: minted.key });
    expect(response.json()).not.toMatchObject({ code: 'invalid_key' });
  });
  return minted;
}

describe('Signing in', () => {
  it("returns the key's permissions and sets a cookie that scripts and other sites cannot use", async () => {
    const { key, resource } = await newKey();
    const response = await signIn(key);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({
      account: 'acme',
      key: { id: resource.metadata.name, name: 'A person', type: 'live', last_four: key.slice(-4) },
      scopes: ['templates:read', 'api-keys:write'],
      formats: ['pdf', 'png', 'jpeg', 'webp', 'html', 'docx', 'xml'],
    });
    expect(response.headers['cache-control']).toBe('no-store');
    const cookie = String(response.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-trifold_session=/);
    expect(cookie).not.toContain('Domain');
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/', 'Max-Age=28800']) {
      expect(cookie.split('; ')).toContain(attribute);
    }
    expect(cookie).not.toContain(key.slice(8));
    expect(response.body).not.toContain(key.slice(8));
  });

  it("works over plain HTTP on the service's machine, with a cookie that plain HTTP allows", async () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      const response = await signIn(gateway.key, { host, origin: `http://${host}` });
      expect(response.statusCode).toBe(201);
      expect(String(response.headers['set-cookie'])).toMatch(/^trifold_session=/);
      expect(String(response.headers['set-cookie'])).not.toContain('Secure');
    }
  });

  it('is rejected over plain HTTP from another machine, with the reason', async () => {
    const response = await signIn(gateway.key, { host: HOST, origin: `http://${HOST}` });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({
      code: 'insecure_sign_in',
      message: expect.stringContaining('https://') as unknown,
    });
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['a page of another site', { host: HOST, origin: 'https://evil.example' }],
    ['another port of the same host', { host: HOST, origin: `https://${HOST}:8443` }],
    ['a sandboxed frame', { host: HOST, origin: 'null' }],
    ['a program without an Origin', { host: HOST }],
  ])('is rejected from %s', async (_, headers) => {
    expect((await signIn(gateway.key, headers)).json()).toMatchObject({ code: 'cross_site_request' });
  });

  it('requires a valid key', async () => {
    expect((await signIn(generateKey('live'))).json()).toMatchObject({ code: 'invalid_key' });
    expect((await signIn('nonsense')).json()).toMatchObject({ code: 'invalid_key' });
  });

  it('works after many failures from the same address', async () => {
    for (let count = 0; count < 31; count += 1) {
      expect((await signIn(generateKey('live'))).statusCode).toBe(401);
    }
    expect((await signIn(gateway.key)).statusCode).toBe(201);
  });

  it('returns 404 without a secret', async () => {
    const other = await GatewayFixture.forTest();
    const call = { key: '', headers: FROM_PAGE, body: { key: other.key } };
    expect((await other.call('POST', '/dashboard/session', call)).statusCode).toBe(404);
  });
});

describe('A session', () => {
  it('does not end while the service starts', async () => {
    const headers = { ...FROM_PAGE, cookie: cookieOf(await signIn(gateway.key)) };
    const { app } = await gateway.another();
    expect((await app.inject({ url: '/dashboard/session', headers })).statusCode).toBe(503);
    expect((await app.inject({ url: '/v1/templates', headers })).statusCode).toBe(503);
  });

  it.each([
    ['a page of another site', { host: HOST, 'sec-fetch-site': 'cross-site' }],
    ['another host of the same domain', { host: HOST, 'sec-fetch-site': 'same-site' }],
    ['the address bar', { host: HOST, 'sec-fetch-site': 'none' }],
    ['an old browser on a page of another site', { host: HOST, origin: 'https://evil.example' }],
    ['an old browser that does not name the page', { host: HOST }],
  ])('is rejected in a request from %s', async (_, headers) => {
    const cookie = cookieOf(await signIn(gateway.key));
    for (const [method, path] of [
      ['GET', '/v1/templates'],
      ['GET', '/dashboard/session'],
      ['DELETE', '/dashboard/session'],
    ] as const) {
      const response = await send(method, path, { ...headers, cookie, 'x-trifold-session': '1' });
      expect(response.statusCode).toBe(401);
      expect(response.json()).toMatchObject({ code: 'cross_site_request' });
    }
  });

  it('is rejected in a request from a form, because forms cannot send the header', async () => {
    const cookie = cookieOf(await signIn(gateway.key));
    const response = await send('POST', '/v1/api-keys', { ...FROM_PAGE, cookie }, { name: 'Forged' });
    expect(response.json()).toMatchObject({ code: 'cross_site_request' });
  });

  it('uses, over HTTPS, only a cookie that no other host can set', async () => {
    const cookie = cookieOf(await signIn(gateway.key));
    const plain = cookie.replace('__Host-', '');
    const templates = async (sent: string) =>
      (await send('GET', '/v1/templates', { ...FROM_PAGE, cookie: sent })).json<{ code?: string }>().code;
    expect(await templates(plain)).toBe('missing_key');
    expect(await templates(`${plain}; ${cookie}`)).toBeUndefined();
    // A name that other parsers would trim is a different name.
    for (const space of ['\t', '\u00a0'])
      expect(await templates(`a=b; ${space}${cookie}`)).toBe('missing_key');
    expect((await send('GET', '/dashboard/session', { ...FROM_PAGE, cookie: plain })).statusCode).toBe(204);
  });

  it('ends if the browser sends two cookies, one possibly set by another port', async () => {
    const local = { host: 'localhost:8080', 'sec-fetch-site': 'same-origin' };
    const page = { host: 'localhost:8080', origin: 'http://localhost:8080' };
    const attacker = cookieOf(await signIn(gateway.otherKey, page));
    const victim = cookieOf(await signIn(gateway.key, page));
    expect((await send('GET', '/v1/templates', { ...local, cookie: victim })).statusCode).toBe(200);
    for (const cookie of [`${attacker};${victim}`, `${victim};${attacker}`, `__Host-${attacker};${victim}`]) {
      const response = await send('GET', '/v1/templates', { ...local, cookie });
      expect(response.statusCode).toBe(401);
      expect(response.json()).toMatchObject({ code: 'session_ended' });
    }
  });

  it('is ignored if the request has a key', async () => {
    const cookie = cookieOf(await signIn(gateway.key));
    const response = await gateway.call('GET', '/v1/templates', {
      key: gateway.otherKey,
      headers: { cookie },
    });
    expect(response.statusCode).toBe(200);
  });

  it('ends with sign-out everywhere, and a new sign-in works', async () => {
    const { key } = await newKey();
    const [cookie, elsewhere] = [cookieOf(await signIn(key)), cookieOf(await signIn(key))];
    const response = await send('DELETE', '/dashboard/session', { ...WRITING, cookie });
    expect(response.statusCode).toBe(204);
    expect(String(response.headers['set-cookie'])).toMatch(/^__Host-trifold_session=;/);
    for (const each of [cookie, elsewhere]) {
      const after = await send('GET', '/v1/templates', { ...FROM_PAGE, cookie: each });
      expect(after.statusCode).toBe(401);
      expect(after.json()).toMatchObject({ code: 'session_ended' });
    }
    clock.advance(1000);
    const again = cookieOf(await signIn(key));
    expect((await send('GET', '/v1/templates', { ...FROM_PAGE, cookie: again })).statusCode).toBe(200);
  });

  it('ends when its key is revoked', async () => {
    const { key, resource } = await newKey();
    const cookie = cookieOf(await signIn(key));
    await gateway.kubernetes.resource(API_KEY).delete('acme', resource.metadata.name);
    await eventually(async () => {
      const response = await send('GET', '/v1/templates', { ...FROM_PAGE, cookie });
      expect(response.json()).toMatchObject({ code: 'session_ended' });
    });
  });

  it('ends after 8 hours without use, and continues while it is used', async () => {
    const { key } = await newKey();
    const first = cookieOf(await signIn(key));
    clock.advance(7 * 3_600_000);
    const renewed = cookieOf(await send('GET', '/v1/templates', { ...FROM_PAGE, cookie: first }));
    clock.advance(7 * 3_600_000);
    expect((await send('GET', '/v1/templates', { ...FROM_PAGE, cookie: renewed })).statusCode).toBe(200);
    expect((await send('GET', '/v1/templates', { ...FROM_PAGE, cookie: first })).statusCode).toBe(401);
  });

  it.each([
    ['altered', (cookie: string) => `${cookie.slice(0, -3)}AAA`],
    ['nonsense', () => '__Host-trifold_session=nonsense'],
    ['empty', () => '__Host-trifold_session='],
    ['unencrypted', () => '__Host-trifold_session=eyJhbGciOiJub25lIn0.eyJhY2NvdW50IjoiYWNtZSJ9.'],
  ])('is not accepted if its cookie is %s', async (_, change) => {
    const cookie = change(cookieOf(await signIn(gateway.key)));
    const response = await send('GET', '/v1/templates', { ...FROM_PAGE, cookie });
    expect(response.json()).toMatchObject({ code: 'session_ended' });
  });
});
