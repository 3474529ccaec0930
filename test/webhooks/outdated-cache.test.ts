import { RETRY_ANNOTATION, type WebhookDelivery, type WebhookDeliveryStatus } from '@trifold/crds';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { SlowWatch } from '../support/faults/slow-watch.ts';
import { WebhookFixture } from './webhook-fixture.ts';

const MINUTE = 60_000;

const fixture = WebhookFixture.forEachTest();

async function* onePiece(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

const askForRetry = (name: string) =>
  fixture.deliveries.patch(
    { namespace: 'default', name },
    { metadata: { annotations: { [RETRY_ANNOTATION]: 'once' } } },
  );

/** Writes the status as another controller would. */
async function settle(name: string, status: WebhookDeliveryStatus): Promise<WebhookDelivery> {
  const delivery = await fixture.deliveries.get('default', name);
  return fixture.deliveries.replaceStatus({ ...delivery, status: { ...delivery.status, ...status } });
}

/** Allows time for things that must not happen. */
async function aWhile(): Promise<void> {
  for (let looks = 0; looks < 400; looks += 1) await fixture.all();
}

describe('A controller with an outdated cache of deliveries', () => {
  let watch: SlowWatch;
  beforeEach(() => void (watch = new SlowWatch('webhookdeliveries')));
  const boot = () =>
    fixture.boot({ webhooks: { retrySchedule: [0, MINUTE] }, wrap: { transport: watch.transport } });

  /** Creates a failed delivery that its controller has seen as failed; the controller does not see later changes. */
  async function givenUp(): Promise<WebhookDelivery> {
    fixture.answering(503);
    await fixture.endpoint();
    await boot();
    await fixture.inForce();
    await fixture.attempted();
    fixture.clock.advance(MINUTE);
    const delivery = await fixture.attempts(2);
    // The creation, and the two status writes.
    await eventually(async () => watch.told === 3, { intervalMs: 5 });
    await aWhile();
    watch.hold();
    return delivery;
  }

  it('sends a retried delivery once, no matter when its cache sees the changes', async () => {
    const { metadata } = await givenUp();
    fixture.answering(200);
    await askForRetry(metadata.name);
    watch.tell(1);
    await fixture.attempts(3);
    await aWhile();
    for (let changes = 0; changes < 2; changes += 1) {
      watch.tell(1);
      await aWhile();
    }
    expect(fixture.receiver.received).toHaveLength(3);
    expect((await fixture.attempts(3)).status).toMatchObject({ phase: 'Delivered', retry: 'once' });
  });

  it('reads a deleted delivery once when its attempt is due', async () => {
    fixture.answering(503);
    await fixture.endpoint();
    const { transport } = await boot();
    await fixture.inForce();
    const { metadata } = await fixture.attempted();
    // Its creation and its status write.
    await eventually(async () => watch.told === 2, { intervalMs: 5 });
    watch.hold();
    await fixture.deliveries.delete('default', metadata.name);
    let reads = 0;
    transport.fault = ({ path }) => void (reads += Number(path.endsWith(`/${metadata.name}`)));
    fixture.clock.advance(MINUTE);
    await eventually(async () => reads > 0, { intervalMs: 5 });
    await aWhile();
    expect(reads).toBe(1);
  });

  it('does not retry a delivery that another controller has delivered', async () => {
    const { metadata } = await givenUp();
    await askForRetry(metadata.name);
    const { status } = await settle(metadata.name, { phase: 'Delivered', attemptCount: 3 });
    watch.tell(1);
    await aWhile();
    expect(fixture.receiver.received).toHaveLength(2);
    expect((await fixture.deliveries.get('default', metadata.name)).status).toEqual(status);
  });
});

it('notifies an endpoint that is not cached yet about a document that another leader finished', async () => {
  const watch = new SlowWatch('webhookendpoints');
  watch.hold();
  const never = new Promise<never>(() => undefined);
  await fixture.boot({ wrap: { transport: watch.transport }, render: () => never });
  const { metadata } = await fixture.endpoint();
  const job = await fixture.controller.gatewayJob();
  // The earlier controller crashed before it created the delivery.
  await eventually(async () => {
    const status = { phase: 'Completed' as const, finishedAt: fixture.clock.now().toISOString() };
    const deliverTo = [{ name: metadata.name, uid: metadata.uid }];
    const latest = await fixture.controller.jobs.get('default', job.metadata.name);
    return fixture.controller.jobs.replaceStatus({
      ...latest,
      status: { ...latest.status, ...status, deliverTo },
    });
  });
  await fixture.received(1);
  const delivery = await fixture.attempts(1);
  expect(delivery.spec).toMatchObject({ endpointRef: { uid: metadata.uid } });
  expect(delivery.status).toMatchObject({ phase: 'Delivered' });
});

it('fails the deliveries of an endpoint if it first sees another endpoint with the same name', async () => {
  fixture.answering(503);
  const { metadata, spec } = await fixture.endpoint();
  const { transport } = await fixture.boot();
  await fixture.inForce();
  await fixture.attempted();
  const expired = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };
  let isUnavailable = true;
  transport.fault = ({ path, query }) => {
    if (query?.['watch'] !== 'true' || !path.endsWith('/webhookendpoints')) return undefined;
    if (isUnavailable) return new Error('the API server is away');
    transport.fault = undefined;
    return { status: 410, headers: {}, body: onePiece(JSON.stringify(expired)) };
  };
  transport.cutWatches();
  await fixture.endpoints.delete('default', metadata.name);
  await fixture.endpoints.create({ metadata: { name: metadata.name, namespace: 'default' }, spec });
  isUnavailable = false;
  const before = fixture.clock.now().getTime();
  const delivery = await eventually(async () => {
    // Allows time for the watches to reopen.
    if (fixture.clock.now().getTime() < before + MINUTE / 2) fixture.clock.advance(100);
    return (await fixture.all()).find(({ status }) => status?.phase === 'Failed') ?? false;
  });
  expect(delivery.status?.lastError).toMatchObject({ code: 'endpoint_deleted' });
});

it('does not overwrite a success from another controller with its own failed attempt', async () => {
  const held = Promise.withResolvers<void>();
  fixture.receiver.answer = (_request, response) =>
    void held.promise.then(() => response.writeHead(503).end());
  await fixture.endpoint();
  const service = await fixture.boot();
  await fixture.inForce();
  await fixture.controller.gatewayJob();
  await fixture.received(1);
  const [made] = await fixture.all();
  const ended = { phase: 'Delivered', attemptCount: 1 } as const;
  const { metadata, status } = await settle(made?.metadata.name ?? '', ended);
  held.resolve();
  await eventually(async () =>
    /^trifold_webhook_attempts_total\{.*\} 1$/m.test(await service.metrics.render()),
  );
  await aWhile();
  expect((await fixture.deliveries.get('default', metadata.name)).status).toEqual(status);
});
