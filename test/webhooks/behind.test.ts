import { RETRY_ANNOTATION, type WebhookDelivery, type WebhookDeliveryStatus } from '@trifold/crds';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/conditions.ts';
import { SlowWatch } from '../support/slow-watch.ts';
import { WebhookWorld } from './webhook-world.ts';

const MINUTE = 60_000;

let world: WebhookWorld;
beforeEach(async () => {
  world = await WebhookWorld.create();
});
afterEach(() => world.destroy());

async function* onePiece(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

/** Answers with that status from now on. */
function answering(status: number): void {
  world.receiver.answer = (_request, response) => void response.writeHead(status).end();
}

const askForRetry = (name: string) =>
  world.deliveries.patch(
    { namespace: 'default', name },
    { metadata: { annotations: { [RETRY_ANNOTATION]: 'once' } } },
  );

/** Writes the status as another controller does. */
async function settle(name: string, status: WebhookDeliveryStatus): Promise<WebhookDelivery> {
  const delivery = await world.deliveries.get('default', name);
  return world.deliveries.replaceStatus({ ...delivery, status: { ...delivery.status, ...status } });
}

/** Time for what must not happen. */
async function aWhile(): Promise<void> {
  for (let looks = 0; looks < 400; looks += 1) await world.all();
}

describe('a controller whose cache of deliveries is behind', () => {
  let watch: SlowWatch;
  beforeEach(() => {
    watch = new SlowWatch('webhookdeliveries');
  });
  const boot = () =>
    world.boot({ webhooks: { retrySchedule: [0, MINUTE] }, wrap: { transport: watch.transport } });

  /** A delivery that was given up, as its controller knows; of what comes then it is told nothing. */
  async function givenUp(): Promise<WebhookDelivery> {
    answering(503);
    await world.endpoint();
    await boot();
    await world.inForce();
    await world.world.gatewayJob();
    await world.attempts(1);
    world.world.clock.advance(MINUTE);
    const delivery = await world.attempts(2);
    // That it was made, and what was written twice.
    await eventually('all of it is told', async () => watch.told === 3, { intervalMs: 5 });
    await aWhile();
    watch.hold();
    return delivery;
  }

  it('sends one that is retried once, whatever it is told when', async () => {
    const { metadata } = await givenUp();
    answering(200);
    await askForRetry(metadata.name);
    watch.tell(1);
    await world.attempts(3);
    await aWhile();
    for (let changes = 0; changes < 2; changes += 1) {
      watch.tell(1);
      await aWhile();
    }
    expect(world.receiver.received).toHaveLength(3);
    expect((await world.attempts(3)).status).toMatchObject({ phase: 'Delivered', retry: 'once' });
  });

  it('does not retry one that somebody else has delivered', async () => {
    const { metadata } = await givenUp();
    await askForRetry(metadata.name);
    const { status } = await settle(metadata.name, { phase: 'Delivered', attemptCount: 3 });
    watch.tell(1);
    await aWhile();
    expect(world.receiver.received).toHaveLength(2);
    expect((await world.deliveries.get('default', metadata.name)).status).toEqual(status);
  });
});

it('tells an endpoint of the end of a document that another leader wrote, though its watch has not told of it', async () => {
  const watch = new SlowWatch('webhookendpoints');
  watch.hold();
  const never = new Promise<never>(() => undefined);
  await world.boot({ wrap: { transport: watch.transport }, render: () => never });
  const { metadata } = await world.endpoint();
  const job = await world.world.gatewayJob();
  // It died before it made the delivery.
  await eventually('the last status is written', async () => {
    const status = { phase: 'Completed' as const, finishedAt: world.world.clock.now().toISOString() };
    const deliverTo = [{ name: metadata.name, uid: metadata.uid }];
    const latest = await world.world.jobs.get('default', job.metadata.name);
    return world.world.jobs.replaceStatus({ ...latest, status: { ...latest.status, ...status, deliverTo } });
  });
  await world.received(1);
  const delivery = await world.attempts(1);
  expect(delivery.spec).toMatchObject({ endpointRef: { uid: metadata.uid } });
  expect(delivery.status).toMatchObject({ phase: 'Delivered' });
});

it('gives up at once what waits for an endpoint of which it is told only when another has its name', async () => {
  answering(503);
  const { metadata, spec } = await world.endpoint();
  const { transport } = await world.boot();
  await world.inForce();
  await world.world.gatewayJob();
  await world.attempts(1);
  const expired = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };
  let isAway = true;
  transport.fault = ({ path, query }) => {
    if (query?.['watch'] !== 'true' || !path.endsWith('/webhookendpoints')) return undefined;
    if (isAway) return new Error('the API server is away');
    transport.fault = undefined;
    return { status: 410, headers: {}, body: onePiece(JSON.stringify(expired)) };
  };
  transport.cutWatches();
  await world.endpoints.delete('default', metadata.name);
  await world.endpoints.create({ metadata: { name: metadata.name, namespace: 'default' }, spec });
  isAway = false;
  const before = world.world.clock.now().getTime();
  const delivery = await eventually('it is given up', async () => {
    // For the watches to be opened again.
    if (world.world.clock.now().getTime() < before + MINUTE / 2) world.world.clock.advance(100);
    return (await world.all()).find(({ status }) => status?.phase === 'Failed');
  });
  expect(delivery.status?.lastError).toMatchObject({ code: 'endpoint_deleted' });
});

it('an attempt that fails does not undo that somebody else has delivered it', async () => {
  const held = Promise.withResolvers<void>();
  world.receiver.answer = (_request, response) => void held.promise.then(() => response.writeHead(503).end());
  await world.endpoint();
  const service = await world.boot();
  await world.inForce();
  await world.world.gatewayJob();
  await world.received(1);
  const [made] = await world.all();
  const { metadata, status } = await settle(made?.metadata.name ?? '', {
    phase: 'Delivered',
    attemptCount: 1,
  });
  held.resolve();
  await eventually('the attempt has ended', async () =>
    /^trifold_webhook_attempts_total\{.*\} 1$/m.test(await service.metrics.render()),
  );
  await aWhile();
  expect((await world.deliveries.get('default', metadata.name)).status).toEqual(status);
});
