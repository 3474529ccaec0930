import fastifyCookie from '@fastify/cookie';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import type { ApiKey } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { ProviderSignOut } from './provider-sign-out.ts';

const KEY = { metadata: { name: 'person-1' } } as ApiKey;

/** Returns the ID token that the provider receives at sign-out, and the size of the cookie that stored it. */
async function signOutWith(idToken: string) {
  const app = fastify();
  await app.register(fastifyCookie);
  const provider = {
    signOutUrl: async (_returnTo: URL, hint = 'none') => new URL(`https://login.example.com/?hint=${hint}`),
  };
  const signOut = new ProviderSignOut(provider, {
    oidc: { publicUrl: new URL('https://docs.example.com') },
    secret: 'a secret of at least 32 characters',
    clock: new FakeClock(),
  });
  app.get('/remember', async (_request, reply) =>
    signOut.remember(reply, { keyId: 'person-1', idToken }, { seconds: 3600 }).then(() => reply.send()),
  );
  app.get('/url', async (request, reply) => ({ url: (await signOut.urlFor(request, reply, KEY))?.href }));
  const [cookie] = (await app.inject('/remember')).cookies;
  const cookies = { [cookie?.name ?? '']: cookie?.value ?? '' };
  const response = await app.inject({ url: '/url', cookies });
  const { url } = response.json<{ url?: string }>();
  return { hint: url && new URL(url).searchParams.get('hint'), bytes: cookie?.value.length };
}

it('sends the ID token to the provider unless it is too large for a cookie', async () => {
  expect(await signOutWith('small')).toMatchObject({ hint: 'small' });
  const { hint, bytes } = await signOutWith('x'.repeat(3000));
  expect(hint).toBe('none');
  expect(bytes).toBeLessThan(1000);
});
