import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '@trifold/controller/testing/world.ts';
import { eventually } from '../support/conditions.ts';
import { losing } from '../support/losing-writes.ts';
import { WebhookWorld } from './webhook-world.ts';

const FOREVER = new Promise<never>(() => undefined);
const MINUTE = 60_000;

let world: WebhookWorld;
beforeEach(async () => {
  world = await WebhookWorld.create();
});
afterEach(() => world.destroy());

/**
 * A controller that is killed at its n-th write: from then on nothing it does has an effect. The write at which it dies
 * may have reached the API server, unseen by the controller.
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
    return world.boot({
      dead: () => this.dead,
      wrap: { transport: this.transport },
      outbound: {
        post: (post, signal) => (this.dead ? FOREVER : world.outbound().post(post, signal)),
        close: () => undefined,
      },
    });
  }
}

/** Whether it writes down an attempt. */
const isLog = ({ method, path }: ApiRequest) => method === 'PUT' && path.includes('/webhookdeliveries/');

const idsOf = () => world.receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);

describe('a controller that is killed', () => {
  // Its writes: status of the endpoint, last status of the job, delivery, status of the delivery.
  const points = [1, 2, 3, 4, 5].flatMap((dies) => [
    { dies, reached: false },
    { dies, reached: true },
  ]);

  it.each(points)(
    'at write $dies (reached the server: $reached) loses no event',
    async ({ dies, reached }) => {
      const killed = new Killed(dies, reached);
      await world.endpoint();
      await killed.boot();
      const { metadata } = await world.world.gatewayJob();
      await eventually('it is dead, or has nothing more to do', async () => {
        if (killed.dead) return true;
        const [delivery] = await world.all();
        return delivery?.status?.phase === 'Delivered';
      });
      await world.boot();
      await world.world.finished(metadata.name);
      await world.delivery('it is delivered', ({ status }) => status?.phase === 'Delivered');
      expect(await world.all()).toHaveLength(1);
      // At most the attempt in flight is repeated, and it is the same event.
      expect(idsOf().length).toBeLessThanOrEqual(2);
      expect(new Set(idsOf()).size).toBe(1);
    },
  );

  it('between sending and writing it down sends the same event again, under another delivery id', async () => {
    await world.endpoint();
    const hold = { transport: false };
    const first = await world.boot({
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
    await world.inForce();
    await world.world.gatewayJob();
    await world.received(1);
    await eventually('it is about to write', async () => hold.transport);
    first.abandonWork();
    await world.boot();
    await world.received(2);
    const delivery = await world.attempts(1);
    expect(delivery.status).toMatchObject({ phase: 'Delivered' });
    const [before, after] = world.receiver.received;
    expect(after?.body).toBe(before?.body);
    expect(after?.headers['x-trifold-delivery-id']).not.toBe(before?.headers['x-trifold-delivery-id']);
  });

  it('while a delivery waits for its next attempt finds the time again', async () => {
    world.receiver.answer = (_request, response) => void response.writeHead(503).end();
    await world.endpoint();
    const first = await world.boot();
    await world.inForce();
    await world.world.gatewayJob();
    await world.attempts(1);
    await first.stop();
    world.world.clock.advance(30_000);
    await world.boot();
    for (let looks = 0; looks < 10; looks += 1) await world.all();
    expect(world.receiver.received).toHaveLength(1);
    world.world.clock.advance(30_000);
    const delivery = await world.attempts(2);
    expect(delivery.status?.attempts?.map(({ at }) => at)).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:01:00.000Z',
    ]);
  });

  it('makes up for an attempt that fell due while it was away', async () => {
    world.receiver.answer = (_request, response) => void response.writeHead(503).end();
    await world.endpoint();
    const first = await world.boot();
    await world.inForce();
    await world.world.gatewayJob();
    await world.attempts(1);
    await first.stop();
    world.world.clock.advance(60 * MINUTE);
    await world.boot();
    await world.attempts(2);
  });

  it('does not tell again of a document whose delivery is long done, as long as the document is there', async () => {
    await world.endpoint();
    const options = { webhooks: { keepDeliveredMs: 0 } };
    const first = await world.boot(options);
    await world.inForce();
    await world.world.gatewayJob();
    await world.delivery('it is delivered', ({ status }) => status?.phase === 'Delivered');
    world.world.clock.advance(5 * MINUTE);
    await first.stop();
    await world.boot(options);
    world.world.clock.advance(MINUTE);
    for (let looks = 0; looks < 10; looks += 1) await world.all();
    expect(await world.all()).toHaveLength(1);
    expect(world.receiver.received).toHaveLength(1);
    // The document's resource goes after ten minutes, and the log with it.
    await eventually('both are gone', async () => {
      world.world.clock.advance(MINUTE);
      return (await world.all()).length === 0;
    });
    expect(world.receiver.received).toHaveLength(1);
  });
});

describe('a controller that is stopped', () => {
  it('breaks off what hangs, and sends it again after the next start', async () => {
    world.receiver.answer = () => undefined;
    await world.endpoint();
    const first = await world.boot();
    await world.inForce();
    await world.world.gatewayJob();
    await world.received(1);
    let isStopped = false;
    const stopped = first.stop().then(() => (isStopped = true));
    await eventually('it is stopped', async () => {
      world.world.clock.advance(1);
      return isStopped;
    });
    await stopped;
    const [delivery] = await world.all();
    expect(delivery?.status?.attemptCount).toBeUndefined();
    world.receiver.answer = (_request, response) => void response.end();
    await world.boot();
    expect((await world.attempts(1)).status).toMatchObject({ phase: 'Delivered' });
  });
});

describe('an API server that refuses for a while', () => {
  it('does not make an attempt count twice: what went out is written down later', async () => {
    await world.endpoint();
    const service = await world.boot();
    await world.inForce();
    let refusals = 0;
    service.transport.fault = ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('/webhookdeliveries/') || refusals >= 3) return undefined;
      refusals += 1;
      return new Error('the API server is away');
    };
    await world.world.gatewayJob();
    await world.received(1);
    const delivery = await eventually('it is written down', async () => {
      world.world.clock.advance(100);
      return (await world.all()).find(({ status }) => status?.phase === 'Delivered');
    });
    expect(refusals).toBe(3);
    expect(delivery.status?.attemptCount).toBe(1);
    expect(world.receiver.received).toHaveLength(1);
  });

  it.each([
    [200, 'Delivered', 'delivered'],
    [503, 'Failed', 'exhausted'],
  ])('does not make it count twice when the answer to that is lost: %i', async (status, phase, outcome) => {
    world.receiver.answer = (_request, response) => void response.writeHead(status).end();
    await world.endpoint();
    const service = await world.boot({
      webhooks: { retrySchedule: [0] },
      wrap: { transport: losing(isLog, 'after') },
    });
    await world.inForce();
    await world.world.gatewayJob();
    const delivery = await world.delivery('it is settled', (each) => each.status?.phase === phase);
    const counted = new RegExp(`^trifold_webhook_deliveries_total\\{.*outcome="${outcome}".*\\} 1$`, 'm');
    await eventually('it is counted', async () => {
      world.world.clock.advance(100);
      return counted.test(await service.metrics.render());
    });
    expect((await world.deliveries.get('default', delivery.metadata.name)).status).toEqual(delivery.status);
    expect(delivery.status?.attempts).toHaveLength(1);
    expect(world.receiver.received).toHaveLength(1);
  });

  it('nor one that is followed by another', async () => {
    world.receiver.answer = (_request, response) => void response.writeHead(503).end();
    await world.endpoint();
    await world.boot({
      webhooks: { retrySchedule: [0, MINUTE] },
      wrap: { transport: losing(isLog, 'after', 2) },
    });
    await world.inForce();
    await world.world.gatewayJob();
    await world.attempts(1);
    const delivery = await eventually('it is given up', async () => {
      world.world.clock.advance(500);
      return (await world.all()).find(({ status }) => status?.phase === 'Failed');
    });
    expect(delivery.status?.attempts).toHaveLength(2);
    expect(world.receiver.received).toHaveLength(2);
  });
});
