import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { API_KEY, type Scope } from '@trifold/crds';
import { PersonKeys } from '@trifold/platform/records/api-keys/person-keys.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { Gateway } from '../../gateway.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { TestIdentityProvider } from '../../testing/test-identity-provider.ts';
import type { Grant } from './oidc-config.ts';

const HOST = 'docs.example.com';
const PUBLIC_URL = `https://${HOST}`;
const FROM_PAGE = { host: HOST, 'sec-fetch-site': 'same-origin' };
const READER: Scope[] = ['templates:read', 'documents:generate'];
const GRANTS: Grant[] = [
  {
    claim: 'groups',
    value: 'editors',
    account: 'acme',
    scopes: ['templates:read', 'templates:write', 'documents:generate'],
    downloads: 'account',
  },
  { claim: 'groups', value: 'readers', account: 'acme', scopes: READER },
  { claim: 'department', value: '17', account: 'missing', scopes: READER },
  { claim: 'email', value: 'boss@example.com', account: 'other', scopes: READER, type: 'test' },
];
const ADA = { sub: 'ada-1815', name: 'Ada Lovelace', groups: ['staff', 'readers'] };

const clock = new FakeClock();
const logged: string[] = [];
const provider = await TestIdentityProvider.start(PUBLIC_URL);
const gateway = await GatewayFixture.shared({
  clock,
  config: {
    sessionSecret: 'a secret of at least 32 characters',
    logRequests: true,
    oidc: provider.config(GRANTS),
  },
  log: (line) => logged.push(line),
});
afterAll(async () => {
  await gateway.stop();
  await provider.stop();
});
beforeEach(() => void (provider.person = ADA));

interface ApiResponse {
  readonly statusCode: number;
  readonly headers: OutgoingHttpHeaders;
}

const setCookies = ({ headers }: ApiResponse): string[] => [headers['set-cookie'] ?? []].flat().map(String);

const cookieOf = (response: ApiResponse, name: string): string => {
  const cookie = setCookies(response).find((each) => each.startsWith(`${name}=`));
  return cookie?.split(';')[0] ?? '';
};

const get = async (path: string, headers: Record<string, string> = {}, other?: Gateway) =>
  gateway.call('GET', path, {
    key: '',
    headers: { host: HOST, ...headers },
    ...(other && { gateway: other }),
  });

/** Begins a sign-in. Returns the path of the provider's response and the matching cookie. */
async function begin() {
  const response = await get('/dashboard/sign-in');
  const { origin, pathname, search } = await provider.answerTo(String(response.headers.location));
  expect(origin).toBe(PUBLIC_URL);
  return { response, callback: pathname + search, cookie: cookieOf(response, '__Host-trifold_sign_in') };
}

async function signIn(): Promise<{ response: Awaited<ReturnType<typeof get>>; cookie: string }> {
  const { callback, cookie } = await begin();
  const response = await get(callback, { cookie });
  return { response, cookie: cookieOf(response, '__Host-trifold_session') };
}

const session = async (cookie: string, other?: Gateway) =>
  get('/dashboard/session', { ...FROM_PAGE, cookie }, other);

function expectProblem(response: ApiResponse, reason: string): void {
  expect(response.statusCode).toBe(302);
  expect(response.headers.location).toBe(`/dashboard/#problem=${reason}`);
  expect(setCookies(response).join()).not.toContain('trifold_session');
}

describe('Sign-in with OpenID Connect', () => {
  it('redirects to the provider with a code challenge and keeps the checks in a sealed cookie', async () => {
    const { response } = await begin();
    expect(response.statusCode).toBe(302);
    const { origin, searchParams } = new URL(String(response.headers.location));
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: `${PUBLIC_URL}/dashboard/sign-in/callback`,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      nonce: expect.any(String) as unknown,
    });
    const [cookie = ''] = setCookies(response);
    expect(cookie.split('; ').slice(1).toSorted()).toEqual(
      ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure'].toSorted(),
    );
    expect(cookie).not.toContain(searchParams.get('state'));
  });

  it('gives the user a one-hour session with the rights of the first matching grant', async () => {
    const { response, cookie } = await signIn();
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('url=/dashboard/"');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    const [set = ''] = setCookies(response).filter((each) => each.startsWith('__Host-trifold_session='));
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/', 'Max-Age=3600']) {
      expect(set.split('; ')).toContain(attribute);
    }
    expect((await session(cookie)).json()).toMatchObject({
      account: 'acme',
      key: { id: expect.stringMatching(/^person-/) as unknown, name: 'Ada Lovelace', type: 'live' },
      scopes: READER,
    });
    const { id } = (await session(cookie)).json<{ key: { id: string } }>().key;
    const key = await gateway.kubernetes.resource(API_KEY).get('acme', id);
    expect(key.spec.description).toContain(provider.issuer);
  });

  it('uses the same key at the next sign-in', async () => {
    const [first, second] = [await signIn(), await signIn()];
    expect((await session(second.cookie)).json()).toEqual((await session(first.cookie)).json());
    expect(second.response.body).toContain('content="0;');
  });

  it('accepts a test grant, and an email only if it is verified', async () => {
    provider.person = { sub: 'boss', email: 'boss@example.com', email_verified: true };
    expect((await session((await signIn()).cookie)).json()).toMatchObject({
      account: 'other',
      key: { name: 'boss@example.com', type: 'test' },
    });
    provider.person = { sub: 'not-the-boss', email: 'boss@example.com', email_verified: false };
    expectProblem((await signIn()).response, 'no_access');
  });

  it.each([
    ['without a grant', { sub: 'eve', groups: ['guests'] }, 'no_access'],
    ['whose account does not exist', { sub: 'dan', department: 17 }, 'no_account'],
    ['that denies', undefined, 'denied'],
  ])('rejects a user %s', async (_, person, reason) => {
    provider.person = person;
    expectProblem((await signIn()).response, reason);
  });

  it.each([
    ['a different state', (callback: string) => callback.replace(/state=[^&]+/, 'state=another')],
    ['no state', (callback: string) => callback.replace(/state=[^&]+&?/, '')],
    ['another code', (callback: string) => callback.replace(/code=[^&]+/, 'code=another')],
  ])('rejects a callback with %s', async (_, change) => {
    const { callback, cookie } = await begin();
    expect(change(callback)).not.toBe(callback);
    expectProblem(await get(change(callback), { cookie }), 'expired');
  });

  it('rejects a callback that is late, repeated, or from another browser', async () => {
    const other = await begin();
    expectProblem(await get(other.callback), 'expired');
    expectProblem(await get(other.callback, { cookie: (await begin()).cookie }), 'expired');
    expectProblem(await get(other.callback, { cookie: other.cookie.replace('__Host-', '') }), 'expired');
    expect((await get(other.callback, { cookie: other.cookie })).statusCode).toBe(200);
    expectProblem(await get(other.callback, { cookie: other.cookie }), 'expired');
    const late = await begin();
    clock.advance(600_000);
    expectProblem(await get(late.callback, { cookie: late.cookie }), 'expired');
  });

  it('redirects only to the provider and the dashboard, regardless of what the request contains', async () => {
    const evil = 'return_to=https://evil.example&redirect_uri=https://evil.example';
    const started = await get(`/dashboard/sign-in?${evil}`, { host: 'evil.example' });
    const location = new URL(String(started.headers.location));
    expect(location.origin).toBe(provider.issuer);
    expect(location.searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/dashboard/sign-in/callback`);
    const { callback, cookie } = await begin();
    const response = await get(`${callback}&${evil}`, { cookie, host: 'evil.example' });
    expect(response.statusCode).toBe(200);
    expect(response.body).not.toContain('evil');
  });

  it('logs neither tokens nor claims', async () => {
    await signIn();
    provider.person = { sub: 'eve-1', name: 'Eve', groups: ['guests'], email: 'eve@example.com' };
    const { callback, cookie } = await begin();
    await get(callback, { cookie });
    const lines = logged.join('\n');
    expect(lines).toContain('"reason":"no_access"');
    expect(lines).toContain('no grant matches the claims of person-');
    const code = new URLSearchParams(callback.split('?')[1]).get('code') ?? 'no code';
    for (const secret of ['Lovelace', 'ada-1815', 'eve-1', 'eve@example.com', code, cookie.slice(20)]) {
      expect(lines).not.toContain(secret);
    }
  });
});

describe('A user session', () => {
  it('ends after an hour, even if it is used', async () => {
    let { cookie } = await signIn();
    for (let minutes = 11; minutes < 60; minutes += 11) {
      clock.advance(11 * 60_000);
      const response = await session(cookie);
      expect(response.statusCode).toBe(200);
      cookie = cookieOf(response, '__Host-trifold_session');
    }
    clock.advance(5 * 60_000);
    expect((await session(cookie)).json()).toMatchObject({ code: 'session_ended' });
  });

  it('gets new rights after a sign-in with different claims, which ends earlier sessions', async () => {
    const before = await signIn();
    provider.person = { ...ADA, groups: ['readers', 'editors'] };
    const after = await signIn();
    expect(after.response.body).toContain('content="1;');
    expect((await session(after.cookie)).json()).toMatchObject({
      scopes: ['templates:read', 'templates:write', 'documents:generate'],
    });
    expect((await session(before.cookie)).json()).toMatchObject({ code: 'session_ended' });
  });

  it('uses one key when the user signs in several times concurrently', async () => {
    const grant = { account: 'acme', scopes: READER, mode: 'live' } as const;
    const person = { issuer: provider.issuer, subject: 'twice', name: 'Twice', ...grant };
    const keys = new PersonKeys(gateway.kubernetes);
    for (const scopes of [READER, [], READER]) {
      const found = await Promise.all(
        Array.from({ length: 5 }, async () => keys.ensure({ ...person, scopes })),
      );
      expect(new Set(found.map(({ key }) => key.metadata.uid)).size).toBe(1);
      expect(found.filter(({ isNew }) => isNew)).toHaveLength(1);
    }
  });

  it('ends at every gateway on sign-out', async () => {
    const other = await gateway.startAnother();
    const { cookie } = await signIn();
    await eventually(async () => expect((await session(cookie, other)).statusCode).toBe(200));
    const headers = { ...FROM_PAGE, cookie, 'x-trifold-session': '1' };
    await gateway.call('DELETE', '/dashboard/session', { key: '', headers });
    await eventually(async () => expect((await session(cookie, other)).statusCode).toBe(401));
    clock.advance(1);
  });

  it('also ends at the provider, with the ID token, if it started there', async () => {
    const { response, cookie } = await signIn();
    const cookies = `${cookie}; ${cookieOf(response, '__Host-trifold_sign_out')}`;
    const headers = { ...FROM_PAGE, 'x-trifold-session': '1' };
    const signOut = async (sent: string) =>
      gateway.call('DELETE', '/dashboard/session', { key: '', headers: { ...headers, cookie: sent } });
    const ended = await signOut(cookies);
    expect(ended.statusCode).toBe(200);
    const url = new URL(ended.json<{ sign_out_url: string }>().sign_out_url);
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'trifold',
      post_logout_redirect_uri: `${PUBLIC_URL}/dashboard/`,
      id_token_hint: expect.stringMatching(/^ey[^.]+\.[^.]+\.[^.]+$/) as unknown,
    });
    // The provider accepts the return address and the ID token.
    expect((await fetch(url)).status).toBe(200);

    clock.advance(1);
    const byKey = await gateway.call('POST', '/dashboard/session', {
      key: '',
      headers: { ...FROM_PAGE, origin: PUBLIC_URL },
      body: { key: gateway.key },
    });
    expect(byKey.statusCode, byKey.body).toBe(201);
    const keySession = cookieOf(byKey, '__Host-trifold_session');
    const other = await signOut(`${keySession}; ${cookieOf(response, '__Host-trifold_sign_out')}`);
    expect(other.statusCode).toBe(204);
  });

  it.each([
    ['only documents of its person', 'readers', 403],
    ['every document of the account if the grant says so', 'editors', 409],
  ])('downloads %s', async (_, group, statusCode) => {
    const { metadata } = await gateway.job({ template_id: await gateway.template() });
    provider.person = { ...ADA, groups: [group] };
    const { cookie } = await signIn();
    const response = await get(`/v1/generate/${metadata.name}/download`, { ...FROM_PAGE, cookie });
    // 409: the document is not finished.
    expect(response.statusCode, response.body).toBe(statusCode);
  });
});

it('The provider can be down when the gateway starts', async () => {
  const late = await TestIdentityProvider.start(PUBLIC_URL);
  await late.stop();
  const config = { sessionSecret: 'a secret of at least 32 characters', oidc: late.config(GRANTS) };
  const other = await GatewayFixture.start({ clock, config });
  const start = async () => other.call('GET', '/dashboard/sign-in', { key: '', headers: { host: HOST } });
  expectProblem(await start(), 'unavailable');
  await late.listen();
  expect(String((await start()).headers.location)).toContain(late.issuer);
  await other.stop();
  await late.stop();
});

it('The provider gets at most 16 codes concurrently, and the next user is asked to wait', async () => {
  const { callback, cookie } = await begin();
  provider.silence();
  const waiting = Array.from({ length: 16 }, async () => get(callback, { cookie }));
  await eventually(() => expect(provider.unanswered).toBe(16));
  const next = await get(callback, { cookie });
  expect(next.statusCode).toBe(503);
  expect(next.headers['retry-after']).toBe('10');
  expect(next.body).toContain('url=/dashboard/#problem=too_many"');
  expect(setCookies(next).join()).not.toContain('trifold_session');
  provider.speak();
  for (const response of await Promise.all(waiting)) expectProblem(response, 'unavailable');
  expect((await signIn()).response.statusCode).toBe(200);
});
