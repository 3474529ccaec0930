import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '@trifold/controller/testing/controller-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { losing } from '../support/faults/losing-writes.ts';
import { WebhookFixture } from './webhook-fixture.ts';

const FOREVER = new Promise<never>(() => undefined);
const MINUTE = 60_000;

let fixture: WebhookFixture;
beforeEach(async () => {
  fixture = await WebhookFixture.create();
});
afterEach(() => fixture.destroy());

/**
 * A controller that is killed at its n-th write: from then on nothing it does has an effect. The last write may have
 * reached the API server, unseen by the controller.
 */
class Killed {
  writes = 0;
  readonly #dies: number;
  readonly #reached: boolean;

  constructor(dies: number, reached: boolean) {
    this.#dies = dies;
    this.#reached = reached;
  }

  get dead(): boolean {
    return this.writes >= this.#dies;
  }

  readonly transport = (inner: ApiTransport): ApiTransport => ({
    send: async (request) => {
      if (this.dead) return FOREVER;
      if (request.method === 'GET') return inner.send(request);
      this.writes += 1;
      if (!this.dead) return inner.send(request);
      if (this.#reached) await inner.send(request);
      return FOREVER;
    },
  });

  boot(): Promise<Service> {
    return fixture.boot({
      dead: () => this.dead,
      wrap: { transport: this.transport },
      outbound: {
        post: (post, signal) => (this.dead ? FOREVER : fixture.outbound().post(post, signal)),
        close: () => undefined,
      },
    });
  }
}

/** Whether the request writes an attempt. */
const isLog = ({ method, path }: ApiRequest) => method === 'PUT' && path.includes('/webhookdeliveries/');

const idsOf = () => fixture.receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);

describe('Controller that is killed', () => {
  // Its writes: status of the endpoint, last status of the job, delivery, status of the delivery.
  const points = [1, 2, 3, 4, 5].flatMap((dies) => [
    { dies, reached: false },
    { dies, reached: true },
  ]);

  it.each(points)(
    'at write $dies (reached the server: $reached) loses no event',
    async ({ dies, reached }) => {
      const killed = new Killed(dies, reached);
      await fixture.endpoint();
      await killed.boot();
      const { metadata } = await fixture.controller.gatewayJob();
      await eventually(async () => {
        if (killed.dead) return true;
        const [delivery] = await fixture.all();
        return delivery?.status?.phase === 'Delivered';
      });
      await fixture.boot();
      await fixture.controller.finished(metadata.name);
      await fixture.delivery(({ status }) => status?.phase === 'Delivered');
      expect(await fixture.all()).toHaveLength(1);
      // At most the attempt in flight is repeated, and it is the same event.
      expect(idsOf().length).toBeLessThanOrEqual(2);
      expect(new Set(idsOf()).size).toBe(1);
    },
  );

  it('between an attempt and its record sends the same event again with another delivery id', async () => {
    await fixture.endpoint();
    const hold = { transport: false };
    const first = await fixture.boot({
      dead: () => hold.transport,
      wrap: {
        transport: (inner) => ({
          send: (request) => {
            const isRecord = request.method === 'PUT' && request.path.includes('/webhookdeliveries/');
            if (isRecord) hold.transport = true;
            return hold.transport ? FOREVER : inner.send(request);
          },
        }),
      },
    });
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    await fixture.received(1);
    await eventually(async () => hold.transport);
    first.abandonWork();
    await fixture.boot();
    await fixture.received(2);
    const delivery = await fixture.attempts(1);
    expect(delivery.status).toMatchObject({ phase: 'Delivered' });
    const [before, after] = fixture.receiver.received;
    expect(after?.body).toBe(before?.body);
    expect(after?.headers['x-trifold-delivery-id']).not.toBe(before?.headers['x-trifold-delivery-id']);
  });

  it('while a delivery waits keeps the time of its next attempt', async () => {
    fixture.receiver.answer = (_request, response) => void response.writeHead(503).end();
    await fixture.endpoint();
    const first = await fixture.boot();
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    await fixture.attempts(1);
    await first.stop();
    fixture.controller.clock.advance(30_000);
    await fixture.boot();
    for (let looks = 0; looks < 10; looks += 1) await fixture.all();
    expect(fixture.receiver.received).toHaveLength(1);
    fixture.controller.clock.advance(30_000);
    const delivery = await fixture.attempts(2);
    expect(delivery.status?.attempts?.map(({ at }) => at)).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:01:00.000Z',
    ]);
  });

  it('does not send the event of a delivered document again while the document exists', async () => {
    await fixture.endpoint();
    const options = { webhooks: { keepDeliveredMs: 0 } };
    const first = await fixture.boot(options);
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    await fixture.delivery(({ status }) => status?.phase === 'Delivered');
    fixture.controller.clock.advance(5 * MINUTE);
    await first.stop();
    await fixture.boot(options);
    fixture.controller.clock.advance(MINUTE);
    for (let looks = 0; looks < 10; looks += 1) await fixture.all();
    expect(await fixture.all()).toHaveLength(1);
    expect(fixture.receiver.received).toHaveLength(1);
    // The document's resource is deleted after ten minutes, and the log with it.
    await eventually(async () => {
      fixture.controller.clock.advance(MINUTE);
      return (await fixture.all()).length === 0;
    });
    expect(fixture.receiver.received).toHaveLength(1);
  });
});

describe('Controller that is stopped', () => {
  it('aborts hanging attempts, and sends them again after the next start', async () => {
    fixture.receiver.answer = () => undefined;
    await fixture.endpoint();
    const first = await fixture.boot();
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    await fixture.received(1);
    let isStopped = false;
    const stopped = first.stop().then(() => (isStopped = true));
    await eventually(async () => {
      fixture.controller.clock.advance(1);
      return isStopped;
    });
    await stopped;
    const [delivery] = await fixture.all();
    expect(delivery?.status?.attemptCount).toBeUndefined();
    fixture.receiver.answer = (_request, response) => void response.end();
    await fixture.boot();
    expect((await fixture.attempts(1)).status).toMatchObject({ phase: 'Delivered' });
  });
});

describe('API server that fails for a while', () => {
  it('does not cause an attempt to count twice: its record is written later', async () => {
    await fixture.endpoint();
    const service = await fixture.boot();
    await fixture.inForce();
    let failures = 0;
    service.transport.fault = ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('/webhookdeliveries/') || failures >= 3) return undefined;
      failures += 1;
      return new Error('the API server is away');
    };
    await fixture.controller.gatewayJob();
    await fixture.received(1);
    const delivery = await eventually(async () => {
      fixture.controller.clock.advance(100);
      return (await fixture.all()).find(({ status }) => status?.phase === 'Delivered') ?? false;
    });
    expect(failures).toBe(3);
    expect(delivery.status?.attemptCount).toBe(1);
    expect(fixture.receiver.received).toHaveLength(1);
  });

  it.each([
    [200, 'Delivered', 'delivered'],
    [503, 'Failed', 'exhausted'],
  ])(
    'does not cause an attempt to count twice when the response to the record is lost: %i',
    async (status, phase, outcome) => {
      fixture.receiver.answer = (_request, response) => void response.writeHead(status).end();
      await fixture.endpoint();
      const service = await fixture.boot({
        webhooks: { retrySchedule: [0] },
        wrap: { transport: losing(isLog, 'after') },
      });
      await fixture.inForce();
      await fixture.controller.gatewayJob();
      const delivery = await fixture.delivery((each) => each.status?.phase === phase);
      const counted = new RegExp(`^trifold_webhook_deliveries_total\\{.*outcome="${outcome}".*\\} 1$`, 'm');
      await eventually(async () => {
        fixture.controller.clock.advance(100);
        return counted.test(await service.metrics.render());
      });
      expect((await fixture.deliveries.get('default', delivery.metadata.name)).status).toEqual(
        delivery.status,
      );
      expect(delivery.status?.attempts).toHaveLength(1);
      expect(fixture.receiver.received).toHaveLength(1);
    },
  );

  it('does not cause an attempt to count twice when another one follows', async () => {
    fixture.receiver.answer = (_request, response) => void response.writeHead(503).end();
    await fixture.endpoint();
    await fixture.boot({
      webhooks: { retrySchedule: [0, MINUTE] },
      wrap: { transport: losing(isLog, 'after', 2) },
    });
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    await fixture.attempts(1);
    const delivery = await eventually(async () => {
      fixture.controller.clock.advance(500);
      return (await fixture.all()).find(({ status }) => status?.phase === 'Failed') ?? false;
    });
    expect(delivery.status?.attempts).toHaveLength(2);
    expect(fixture.receiver.received).toHaveLength(2);
  });
});
