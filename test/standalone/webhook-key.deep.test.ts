import { SECRET, WEBHOOK_ENDPOINT, WEBHOOK_SECRET_TYPE, type Secret } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { inventKeys, type ServiceProcess } from '../support/service.ts';
import { freshDirectory, launch } from './fresh-service.ts';

const URL = 'https://receiver.invalid/';

function clientOf({ kubeconfig }: ServiceProcess): KubernetesClient {
  const transport = new HttpTransport(loadKubeConfig({ kubeconfig }));
  onTestFinished(() => transport.close());
  return new KubernetesClient(transport);
}

it('a start seals the webhook secrets of an earlier release with a key that later starts have too', async () => {
  const options = { data: await freshDirectory(), keys: inventKeys() };
  const first = await launch(options).ready();
  const before = clientOf(first);
  await before.builtin<Secret>(SECRET).create({
    metadata: { name: 'webhook-1', namespace: 'default' },
    type: WEBHOOK_SECRET_TYPE,
    stringData: { secret: 'whsec_earlier' },
  });
  const spec = { url: URL, secretRef: { name: 'webhook-1' } };
  await before
    .resource(WEBHOOK_ENDPOINT)
    .create({ metadata: { name: 'account', namespace: 'default' }, spec });
  await first.stop();

  const isReady = async (service: ServiceProcess) => {
    const { status, ...endpoint } = await clientOf(service)
      .resource(WEBHOOK_ENDPOINT)
      .get('default', 'account');
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const isObserved = status?.observedGeneration === endpoint.metadata.generation;
    return isObserved && ready?.status === 'True' && endpoint.spec.sealedSecret;
  };
  const second = await launch(options).ready();
  const sealed = await eventually(async () => (await isReady(second)) || false);
  await second.stop();

  const third = await launch(options).ready();
  // Makes its controller open the secret.
  const saved = await third.live.post('/v1/webhooks/settings', { url: `${URL}moved` });
  expect(saved.json()).not.toHaveProperty('secret');
  expect(await eventually(async () => (await isReady(third)) || false)).toEqual(sealed);
});
