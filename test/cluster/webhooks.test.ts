import { verifyWebhook } from '@trifold/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChartValues } from '../chart/helm.ts';
import { eventually } from '../support/eventually.ts';
import { Installation } from './installation.ts';
import { RECEIVERS_IN_CLUSTER, ReceiverPod } from './receiver-pod.ts';

/** Timeout of an upgrade, which takes minutes on a busy node. */
const UPGRADE = 400_000;

let installation: Installation;
let receiver: ReceiverPod;
let template_id: string;

/** Upgrades, and waits until no pod with the previous values is left. */
const upgrade = async (values: ChartValues) => {
  const services = ['gateway', 'controller'] as const;
  const before = await Promise.all(services.map((service) => installation.pods(service)));
  await installation.upgrade(values);
  await installation.gone(before.flat());
};

beforeAll(async () => {
  installation = await Installation.connect();
  await upgrade({ webhooks: RECEIVERS_IN_CLUSTER });
  receiver = await ReceiverPod.start(installation.kubectl);
  template_id = (await installation.live.createTemplate({ name: 'Told' })).id;
}, UPGRADE);
afterAll(async () => {
  await installation.live.delete('/v1/webhooks/settings');
  await receiver?.stop();
  await upgrade({});
  await installation.close();
}, UPGRADE);

/** Sets the receiver as the endpoint of the account and returns its secret. */
const subscribe = async (path: string) => {
  const { live } = installation;
  await live.delete('/v1/webhooks/settings');
  const events = ['document.completed'];
  const answer = await live.post('/v1/webhooks/settings', { url: receiver.url(path), events });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<{ secret: string }>().secret;
};
const deliveryOf = async (event: string) => {
  const answer = await installation.live.get('/v1/webhooks/deliveries');
  const { data } = answer.json<{ data: { event_id: string; status: string }[] }>();
  return data.find(({ event_id }) => event_id === event);
};

describe('Webhook event in the cluster', () => {
  it('reaches a Service with a signature whose secret only the controller reads', async () => {
    const secret = await subscribe('/signed');
    const { id } = await installation.live.generate(template_id, { name: 'Ada' });
    const [received] = await receiver.expect('/signed', 1);
    const event = verifyWebhook({ ...received!, secret });
    expect(event).toMatchObject({ type: 'document.completed', data: { id, status: 'completed' } });
    await eventually(async () => (await deliveryOf(event.id))?.status === 'delivered');
  });
});
