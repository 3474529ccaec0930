import { describe, expect, it } from 'vitest';
import { API_KEY, SCOPES } from '@trifold/crds';
import { ensureAccount, FIRST_ACCOUNT } from '@trifold/platform/records/api-keys/account.ts';
import { SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const URL = 'http://localhost:8080';
const FROM_PAGE = { host: 'localhost:8080', origin: URL, 'sec-fetch-site': 'same-origin' };

const clock = new FakeClock();
const config = { sessionSecret: 'a secret of at least 32 characters' };
const gateway = await GatewayFixture.shared({ clock, config, hasSignInLinks: true });
await ensureAccount(gateway.kubernetes, FIRST_ACCOUNT);
// Another process creates links in the same way.
const links = new SignInLinks(gateway.kubernetes, clock);

async function newToken(): Promise<string> {
  const [address, token = ''] = (await links.create(URL)).split('#token=');
  expect(address).toBe(`${URL}/dashboard/`);
  return token;
}

const signIn = async (body: object, headers: Record<string, string> = FROM_PAGE) =>
  gateway.call('POST', '/dashboard/session', { key: '', headers, body });

const listTemplates = async (cookie: string) =>
  gateway.call('GET', '/v1/templates', { key: '', headers: { ...FROM_PAGE, cookie } });

const message = expect.stringContaining('npx --no trifold dashboard') as unknown;
const OVER = { statusCode: 401, code: 'invalid_sign_in_link', message };

describe('A sign-in link', () => {
  it('signs in once, as a dedicated key with all scopes', async () => {
    const token = await newToken();
    const response = await signIn({ token });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({
      account: FIRST_ACCOUNT,
      key: { id: 'dashboard', name: 'Dashboard (this machine)', type: 'live' },
      scopes: [...SCOPES],
    });
    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    await eventually(async () => expect((await listTemplates(cookie)).statusCode).toBe(200));

    const again = await signIn({ token });
    expect(again.json()).toMatchObject(OVER);
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it('signs in once when it is used several times concurrently', async () => {
    const token = await newToken();
    const responses = await Promise.all(Array.from({ length: 5 }, async () => signIn({ token })));
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 401, 401, 401, 401]);
  });

  it('works for 10 minutes', async () => {
    const early = await newToken();
    clock.advance(10 * 60_000 - 1);
    expect((await signIn({ token: early })).statusCode).toBe(201);
    const late = await newToken();
    clock.advance(10 * 60_000);
    expect((await signIn({ token: late })).json()).toMatchObject(OVER);
  });

  it('works until the next link is created', async () => {
    const [first, second] = [await newToken(), await newToken()];
    expect((await signIn({ token: first })).json()).toMatchObject(OVER);
    expect((await signIn({ token: second })).statusCode).toBe(201);
  });

  it('is not used up by a page that is not allowed to sign in', async () => {
    const token = await newToken();
    const evil = await signIn({ token }, { ...FROM_PAGE, origin: 'http://localhost:8081' });
    expect(evil.json()).toMatchObject({ code: 'cross_site_request' });
    const remote = { host: 'docs.example.com', origin: 'http://docs.example.com' };
    expect((await signIn({ token }, remote)).json()).toMatchObject({ code: 'insecure_sign_in' });
    expect((await signIn({ token })).statusCode).toBe(201);
  });

  it('works after its key was revoked, as a new key', async () => {
    const response = await signIn({ token: await newToken() });
    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    await gateway.kubernetes.resource(API_KEY).delete(FIRST_ACCOUNT, 'dashboard');
    await eventually(async () => expect((await listTemplates(cookie)).statusCode).toBe(401));
    expect((await signIn({ token: await newToken() })).statusCode).toBe(201);
    expect((await listTemplates(cookie)).statusCode).toBe(401);
  });

  it.each(['', 'nonsense'])('is rejected with the token "%s"', async (token) => {
    expect((await signIn({ token })).json()).toMatchObject(OVER);
  });

  it('is rejected together with a key, as is a sign-in with neither', async () => {
    for (const body of [{ key: gateway.key, token: await newToken() }, {}]) {
      expect((await signIn(body)).json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    }
  });

  it('does not work at a cluster gateway', async () => {
    const other = await GatewayFixture.forTest({ clock, config });
    const otherLinks = new SignInLinks(other.kubernetes, clock);
    await ensureAccount(other.kubernetes, FIRST_ACCOUNT);
    const token = (await otherLinks.create(URL)).split('=')[1];
    const call = { key: '', headers: FROM_PAGE, body: { token } };
    expect((await other.call('POST', '/dashboard/session', call)).json()).toMatchObject(OVER);
  });
});
