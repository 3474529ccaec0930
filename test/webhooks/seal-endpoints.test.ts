import {
  SECRET,
  WEBHOOK_ENDPOINT,
  WEBHOOK_SECRET_TYPE,
  type Secret,
  type WebhookEndpoint,
} from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { sealEndpoints } from '@trifold/platform/records/webhooks/seal-endpoints.ts';
import { WebhookKeys, type SealingKey } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSignedWith, WEBHOOK_KEY, WebhookFixture } from './webhook-fixture.ts';

let fixture: WebhookFixture;
let key: SealingKey;
beforeEach(async () => {
  fixture = await WebhookFixture.create();
  key = (await new WebhookKeys([WEBHOOK_KEY]).sealingKey())!;
});
afterEach(() => fixture.destroy());

const kubernetes = () => fixture.controller.kubernetes;
const secrets = () => kubernetes().builtin<Secret>(SECRET);
const secret = async (name: string, text: string, type = WEBHOOK_SECRET_TYPE) =>
  secrets().create({ metadata: { name, namespace: 'default' }, type, stringData: { secret: text } });
const endpoint = async (name: string, spec: Partial<WebhookEndpoint['spec']>) =>
  fixture.endpoints.create({
    metadata: { name, namespace: 'default' },
    spec: { url: fixture.receiver.url(`/${name}`), ...spec },
  });

describe('Endpoints of an earlier release', () => {
  it('sign with the same secrets after they were sealed, and keep their Secrets for a rollback', async () => {
    await secret('now', 'whsec_now');
    await secret('before', 'whsec_before');
    const until = '2026-11-22T12:00:00Z';
    const refs = { secretRef: { name: 'now' }, previousSecretRef: { name: 'before', until } };
    await endpoint('account', refs);
    expect(await sealEndpoints(kubernetes(), key)).toEqual({
      sealed: ['default/account'],
      withoutSecret: [],
    });
    expect(await sealEndpoints(kubernetes(), key)).toEqual({ sealed: [], withoutSecret: [] });
    expect((await fixture.endpoints.get('default', 'account')).spec).toMatchObject(refs);
    expect((await secrets().list({ namespace: 'default' })).items).toHaveLength(2);

    await fixture.boot();
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    const [event] = await fixture.received(1);
    expect(isSignedWith('whsec_now', event!)).toBe(true);
    expect(isSignedWith('whsec_before', event!, 'x-trifold-signature-previous')).toBe(true);
  });

  it('are left as they are without a Secret of the right type', async () => {
    await secret('database', 'password', 'Opaque');
    await endpoint('hook-1', { secretRef: { name: 'database' } });
    await endpoint('hook-2', { secretRef: { name: 'missing' } });
    const withoutSecret = ['default/hook-1', 'default/hook-2'];
    expect(await sealEndpoints(kubernetes(), key)).toEqual({ sealed: [], withoutSecret });
  });

  it('keep the secret of a rotation that comes in between', async () => {
    await secret('now', 'whsec_now');
    await endpoint('account', { secretRef: { name: 'now' } });
    const rotated = await fixture.sealed('whsec_rotated');
    const { transport } = kubernetes();
    const interrupted = new KubernetesClient({
      async send(request) {
        if (request.method === 'PUT') {
          const current = await fixture.endpoints.get('default', 'account');
          await fixture.endpoints.replace({ ...current, spec: { ...current.spec, sealedSecret: rotated } });
        }
        return transport.send(request);
      },
    });
    await sealEndpoints(interrupted, key);
    const { spec } = await kubernetes().resource(WEBHOOK_ENDPOINT).get('default', 'account');
    expect(spec.sealedSecret).toEqual(rotated);
  });

  it('are reported if the API server drops sealedSecret', async () => {
    await secret('now', 'whsec_now');
    await endpoint('account', { secretRef: { name: 'now' } });
    const { transport } = kubernetes();
    const outdated = new KubernetesClient({
      send: async (request) =>
        transport.send(
          request.method === 'PUT' && request.body !== undefined
            ? { ...request, body: request.body.replace('"sealedSecret"', '"dropped"') }
            : request,
        ),
    });
    await expect(sealEndpoints(outdated, key)).rejects.toMatchObject({ code: 'definition_outdated' });
  });
});
