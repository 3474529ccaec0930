import { WEBHOOK_ENDPOINT } from '@trifold/crds';
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

it('keeps the key that decrypts webhook secrets across starts', async () => {
  const options = { data: await freshDirectory(), keys: inventKeys() };
  /** Returns the sealed secret once the controller has opened it. */
  const opened = (service: ServiceProcess) =>
    eventually(async () => {
      const { status, ...endpoint } = await clientOf(service)
        .resource(WEBHOOK_ENDPOINT)
        .get('default', 'account');
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      const isObserved = status?.observedGeneration === endpoint.metadata.generation;
      return isObserved && ready?.status === 'True' && endpoint.spec.sealedSecret;
    });
  const first = await launch(options).ready();
  expect((await first.live.post('/v1/webhooks/settings', { url: URL })).json()).toHaveProperty('secret');
  const sealed = await opened(first);
  await first.stop();

  const second = await launch(options).ready();
  // The second process's controller must open the secret.
  const saved = await second.live.post('/v1/webhooks/settings', { url: `${URL}moved` });
  expect(saved.json()).not.toHaveProperty('secret');
  expect(await opened(second)).toEqual(sealed);
});
