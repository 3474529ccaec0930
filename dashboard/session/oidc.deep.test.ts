import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatewayFixture } from '@trifold/api-gateway/testing/gateway-fixture.ts';
import { TestIdentityProvider } from '@trifold/api-gateway/testing/test-identity-provider.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { freePorts } from '../../test/support/processes/free-ports.ts';
import { Dashboard } from '../testing/dashboard.ts';

const ADA = { sub: 'ada', name: 'Ada Lovelace', groups: ['staff'] };

const clock = new FakeClock();
let provider: TestIdentityProvider;
let gateway: GatewayFixture;
let url: string;
beforeAll(async () => {
  const [port] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
  provider = await TestIdentityProvider.start(url);
  const scopes = ['templates:read', 'api-keys:read'] as const;
  const grants = [{ claim: 'groups', value: 'staff', account: 'acme', scopes: [...scopes] }];
  const config = {
    sessionSecret: 'a secret of at least 32 characters',
    oidc: provider.config(grants),
  };
  gateway = await GatewayFixture.start({ clock, config });
  await gateway.gateway.app.listen({ host: '127.0.0.1', port: Number(port) });
});
afterAll(async () => {
  await gateway.stop();
  await provider.stop();
});

let dashboard: Dashboard;
beforeEach(async () => {
  provider.person = ADA;
  dashboard = await Dashboard.open(url);
  dashboard.expectComplaint(new RegExp(`^another host: ${provider.issuer}/`));
});
afterEach(async () => dashboard.close());

const pressSignIn = async () => dashboard.press(`Sign in with ${new URL(provider.issuer).host}`);

describe('Sign-in with an identity provider', () => {
  it("opens the requested page with the user's permissions", async () => {
    await dashboard.go('/keys');
    await dashboard.shows('Sign in to Trifold');
    await dashboard.expectAccessible('sign-in-provider');
    expect(await dashboard.text()).not.toContain('npx --no trifold dashboard');
    await pressSignIn();
    await dashboard.shows('Ada Lovelace', 'API keys');
    expect(dashboard.page.url()).toBe(`${url}/dashboard/keys`);
    expect(await dashboard.page.evaluate('document.cookie')).toBe('');
  });

  it('also signs the user out at the provider', async () => {
    await dashboard.go('/');
    await pressSignIn();
    await dashboard.shows('Ada Lovelace');
    // Only a user who has no session at the provider signs in as Bob.
    provider.person = { ...ADA, sub: 'bob', name: 'Bob' };
    await dashboard.press('Sign out', 'Sign out here too');
    clock.advance(1);
    await dashboard.shows('Sign in to Trifold');
    expect(dashboard.page.url()).toBe(`${url}/dashboard/`);
    await pressSignIn();
    await dashboard.shows('Bob');
  });

  it('asks the user to wait while too many users are signing in', async () => {
    dashboard.expectComplaint(/503/);
    provider.silence();
    const started = await fetch(`${url}/dashboard/sign-in`, { redirect: 'manual' });
    const [cookie = ''] = started.headers.getSetCookie()[0]?.split(';') ?? [];
    const callback = await provider.answerTo(started.headers.get('location') ?? '');
    const others = Array.from({ length: 16 }, async () => fetch(callback, { headers: { cookie } }));
    await eventually(() => expect(provider.unanswered).toBe(16));
    await dashboard.go('/');
    await pressSignIn();
    await dashboard.shows('Too many users are signing in');
    expect(dashboard.page.url()).toBe(`${url}/dashboard/`);
    provider.speak();
    await Promise.all(others);
  });

  it.each([
    [undefined, 'did not let you in'],
    [{ sub: 'eve', groups: ['guests'] }, 'You do not have access to Trifold'],
  ])('explains what to do if it fails', async (person, message) => {
    provider.person = person;
    await dashboard.go('/');
    await pressSignIn();
    await dashboard.shows(message);
    await dashboard.expectAccessible();
    expect(dashboard.page.url()).toBe(`${url}/dashboard/`);
  });
});
