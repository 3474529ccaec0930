import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { describe, expect, it } from 'vitest';
import { itSurvivesEachStep } from '@trifold/controller/testing/crashing-process.ts';
import { eventually } from '../support/eventually.ts';
import { losing } from '../support/faults/losing-writes.ts';
import { WebhookFixture } from './webhook-fixture.ts';

const MINUTE = 60_000;

const fixture = WebhookFixture.forEachTest();

/** Whether the request writes an attempt. */
const isLog = ({ method, path }: ApiRequest) => method === 'PUT' && path.includes('/webhookdeliveries/');

const idsOf = () => fixture.receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);

describe('A controller that is killed', () => {
  itSurvivesEachStep('at any step loses no event', async (process) => {
    await fixture.renew();
    await fixture.endpoint();
    const outbound = fixture.outboundOf(process);
    await fixture.boot({ dead: () => process.dead, wrap: process.wrap, outbound });
    const { metadata } = await fixture.controller.gatewayJob();
    await eventually(async () => {
      if (process.dead) return true;
      const [delivery] = await fixture.all();
      return delivery?.status?.phase === 'Delivered';
    });
    await fixture.boot();
    await fixture.controller.finished(metadata.name);
    await fixture.delivery(({ status }) => status?.phase === 'Delivered');
    expect(await fixture.all()).toHaveLength(1);
    // At most the in-flight attempt is repeated, and it is the same event.
    expect(idsOf().length).toBeLessThanOrEqual(2);
    expect(new Set(idsOf()).size).toBe(1);
  });

  it('while a delivery waits does not change the time of its next attempt', async () => {
    fixture.answering(503);
    await fixture.endpoint();
    const first = await fixture.boot();
    await fixture.inForce();
    await fixture.attempted();
    await first.stop();
    fixture.clock.advance(30_000);
    await fixture.boot();
    for (let looks = 0; looks < 10; looks += 1) await fixture.all();
    expect(fixture.receiver.received).toHaveLength(1);
    fixture.clock.advance(30_000);
    const delivery = await fixture.attempts(2);
    const times = delivery.status?.attempts?.map(({ at }) => at);
    expect(times).toEqual(['2026-11-21T12:00:00.000Z', '2026-11-21T12:01:00.000Z']);
  });

  it("does not resend a delivered document's event while the document exists", async () => {
    await fixture.endpoint();
    const options = { webhooks: { keepDeliveredMs: 0 } };
    const first = await fixture.boot(options);
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    await fixture.delivery(({ status }) => status?.phase === 'Delivered');
    fixture.clock.advance(5 * MINUTE);
    await first.stop();
    await fixture.boot(options);
    fixture.clock.advance(MINUTE);
    for (let looks = 0; looks < 10; looks += 1) await fixture.all();
    expect(await fixture.all()).toHaveLength(1);
    expect(fixture.receiver.received).toHaveLength(1);
    // The document's resource is deleted after ten minutes, and the log with it.
    await fixture.clock.passUntil(MINUTE, async () => (await fixture.all()).length === 0);
    expect(fixture.receiver.received).toHaveLength(1);
  });
});

it('A controller that is stopped aborts hanging attempts, and sends them again after the next start', async () => {
  fixture.receiver.answer = () => undefined;
  await fixture.endpoint();
  const first = await fixture.boot();
  await fixture.inForce();
  await fixture.controller.gatewayJob();
  await fixture.received(1);
  let isStopped = false;
  const stopped = first.stop().then(() => (isStopped = true));
  await fixture.clock.passUntil(1, async () => isStopped);
  await stopped;
  const [delivery] = await fixture.all();
  expect(delivery?.status?.attemptCount).toBeUndefined();
  fixture.receiver.answer = (_request, response) => void response.end();
  await fixture.boot();
  expect((await fixture.attempts(1)).status).toMatchObject({ phase: 'Delivered' });
});

describe('An API server that fails temporarily', () => {
  it.each([
    [200, 'Delivered', 'delivered'],
    [503, 'Failed', 'exhausted'],
  ])(
    'does not count an attempt twice if the response to the status write is lost: %i',
    async (status, phase, outcome) => {
      fixture.answering(status);
      await fixture.endpoint();
      const wrap = { transport: losing(isLog, 'after') };
      const service = await fixture.boot({ webhooks: { retrySchedule: [0] }, wrap });
      await fixture.inForce();
      await fixture.controller.gatewayJob();
      const delivery = await fixture.delivery((each) => each.status?.phase === phase);
      const counted = new RegExp(`^trifold_webhook_deliveries_total\\{.*outcome="${outcome}".*\\} 1$`, 'm');
      await fixture.clock.passUntil(100, async () => counted.test(await service.metrics.render()));
      expect((await fixture.deliveries.get('default', delivery.metadata.name)).status).toEqual(
        delivery.status,
      );
      expect(delivery.status?.attempts).toHaveLength(1);
      expect(fixture.receiver.received).toHaveLength(1);
    },
  );

  it('does not count an attempt twice if another one follows', async () => {
    fixture.answering(503);
    await fixture.endpoint();
    const wrap = { transport: losing(isLog, 'after', 2) };
    await fixture.boot({ webhooks: { retrySchedule: [0, MINUTE] }, wrap });
    await fixture.inForce();
    await fixture.attempted();
    const delivery = await fixture.clock.passUntil(
      500,
      async () => (await fixture.all()).find(({ status }) => status?.phase === 'Failed') ?? false,
    );
    expect(delivery.status?.attempts).toHaveLength(2);
    expect(fixture.receiver.received).toHaveLength(2);
  });
});
