import { createInSecret } from '@trifold/cli/keys-create.ts';
import { API_KEY, CUSTOM_KINDS, SCOPES, type KubernetesObject } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { losingCreates } from '@trifold/test-support/faults/losing-writes.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SECRET = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
const secret = { namespace: 'acme', name: 'first-key' };
const KEY = { account: 'acme', name: 'test', scopes: SCOPES, mode: 'live' } as const;
const REQUEST = { ...KEY, secret, kubeconfig: undefined };

let controlPlane: EmbeddedControlPlane;
let trusted: KubernetesClient;
beforeEach(async () => {
  const logger = createLogger({ level: 'silent', name: 'test' });
  const clock = new FakeClock();
  controlPlane = await EmbeddedControlPlane.open({ file: ':memory:', kinds: CUSTOM_KINDS, clock, logger });
  trusted = new KubernetesClient(controlPlane.transport);
});
afterEach(async () => controlPlane.close());

/** Loses the connection while writing the Secret, before or after the server has executed the write. */
const losingSecret = (when: 'before' | 'after') => losingCreates('secrets', when)(controlPlane.transport);

const create = async (transport: ApiTransport) => {
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text), writeError: (text: string) => said.push(text) };
  await createInSecret(new KubernetesClient(transport), REQUEST, output);
  return said.join('');
};
const keys = async () => (await trusted.resource(API_KEY).list({ namespace: 'acme' })).items;
const kept = async () => trusted.builtin<KubernetesObject>(SECRET).find('acme', 'first-key');

it('The first API key in a Secret over a failing connection stays valid if the Secret was written, and the next attempt keeps it', async () => {
  await expect(create(losingSecret('after'))).rejects.toThrow(/connection broke/);
  const [key, ...others] = await keys();
  expect(others).toEqual([]);
  const annotations = { 'trifold.dev/api-key': `acme/${key?.metadata.name}` };
  expect((await kept())?.metadata.annotations).toEqual(annotations);
  expect(await create(controlPlane.transport)).toMatch(/nothing was changed/);
  expect(await keys()).toHaveLength(1);
});

it('The first API key in a Secret over a failing connection is revoked if the Secret was not written, and the next attempt creates another key', async () => {
  await expect(create(losingSecret('before'))).rejects.toThrow(/connection broke/);
  expect(await keys()).toEqual([]);
  expect(await create(controlPlane.transport)).toMatch(/in Secret first-key/);
  expect(await keys()).toHaveLength(1);
});
