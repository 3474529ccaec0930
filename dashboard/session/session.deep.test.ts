import { TrifoldClient } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { clientWithNewKey, newSignInLink } from '../../test/support/keys-command.ts';
import { service } from '../testing/dashboard.ts';
import { dashboard } from '../testing/each-test.ts';

/** Signs in with a dedicated key, because sign-out ends every session of a key. Returns the key. */
async function signInWithOwnKey(path = '/keys'): Promise<string> {
  const { key } = await clientWithNewKey(service.url, service.kubeconfig, { account: service.account });
  await dashboard.signIn(key, path);
  return key as string;
}

describe('The sign-in page', () => {
  it('signs in, stays signed in after a reload, and signs out', async () => {
    await dashboard.go('/keys');
    await dashboard.shows('Sign in to Trifold');
    await dashboard.expectAccessible('sign-in');
    const { key } = await clientWithNewKey(service.url, service.kubeconfig, { account: service.account });
    await dashboard.fill('API key', key!);
    await dashboard.press('Sign in');
    await dashboard.shows('API keys');
    await dashboard.page.reload();
    await dashboard.shows('API keys');
    await dashboard.press('Sign out');
    await dashboard.shows('Sign in to Trifold');
  });

  it('works using only the keyboard', async () => {
    const { key } = await clientWithNewKey(service.url, service.kubeconfig, { account: service.account });
    await dashboard.go('/keys');
    await dashboard.shows('Sign in to Trifold');
    await dashboard.page.keyboard.type(key as string);
    await dashboard.page.keyboard.press('Enter');
    await dashboard.shows('API keys');
  });

  it('explains what is wrong with a key', async () => {
    dashboard.expectComplaint(/401/);
    await dashboard.go('/');
    await dashboard.fill('API key', 'nonsense');
    await dashboard.press('Sign in');
    await dashboard.shows('43 letters and digits');
    await dashboard.fill('API key', `tf_live_${'a'.repeat(43)}`);
    await dashboard.press('Sign in');
    await dashboard.shows('unknown or has been revoked');
  });

  it('does not leave the key in the page or its storage', async () => {
    const secret = (await signInWithOwnKey()).slice(8);
    const kept = await dashboard.page.evaluate(`JSON.stringify([
      document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, document.cookie, location.href])`);
    expect(kept).not.toContain(secret);
  });
});

describe.skipIf(service.dataDirectory === undefined)('A sign-in link', () => {
  it('signs in and disappears from the URL and the history', async () => {
    const link = await newSignInLink(service.dataDirectory as string);
    await dashboard.page.goto(link);
    await dashboard.page.locator('nav').wait();
    await dashboard.shows(service.account);
    const shown = await dashboard.page.evaluate('[location.href, history.length]');
    expect(shown).toEqual([`${dashboard.url}/dashboard/`, 2]);
  });

  it('signs in if it is opened in a tab that shows the sign-in page', async () => {
    await dashboard.go('/');
    await dashboard.shows('Sign in to Trifold');
    await dashboard.page.goto(await newSignInLink(service.dataDirectory as string));
    await dashboard.page.locator('nav').wait();
  });

  it('is rejected the second time, with the command for a new link', async () => {
    dashboard.expectComplaint(/401/);
    const link = await newSignInLink(service.dataDirectory as string);
    await dashboard.page.goto(link);
    await dashboard.page.locator('nav').wait();
    await dashboard.press('Sign out');
    await dashboard.shows('Sign in to Trifold');
    await dashboard.page.goto(link);
    await dashboard.shows('The sign-in link has already been used or has expired');
    await dashboard.expectAccessible();
    expect(await dashboard.page.evaluate('location.hash')).toBe('');
    expect(await dashboard.text()).toContain('npx --no trifold dashboard');
  });
});

describe('An open page', () => {
  it('shows the sign-in page when its key is revoked', async () => {
    dashboard.expectComplaint(/401/);
    const apiKey = await signInWithOwnKey();
    await dashboard.shows('This session');
    const { apiKeys } = new TrifoldClient({ baseUrl: service.url, apiKey });
    const [own] = (await apiKeys.page({ limit: 1 })).data;
    expect(own?.last_four).toBe(apiKey.slice(-4));
    await apiKeys.revoke(own!.id);
    await dashboard.press('Create a key');
    await dashboard.fill('Name', 'Too late');
    await dashboard.page.keyboard.press('Enter');
    await dashboard.shows('Your session has ended');
  });

  it('shows only the sections that its key allows', async () => {
    const { key } = await clientWithNewKey(service.url, service.kubeconfig, {
      account: service.account,
      scopes: ['templates:read'],
    });
    await dashboard.signIn(key, '/keys');
    await dashboard.shows('This requires the api-keys:read scope');
    const sections = await dashboard.page.evaluate('document.querySelector("nav").innerText');
    expect(sections).not.toContain('API keys');
    await dashboard.go('/');
    await dashboard.shows('Your key cannot change anything', 'Templates with a live preview');
    expect(await dashboard.text()).not.toMatch(/Create|Generate a document|New template/);
    await dashboard.expectAccessible('start-read-only');
  });
});
