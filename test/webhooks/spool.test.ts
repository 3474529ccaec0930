import { SPOOL_LIMITS } from '@trifold/controller/webhooks/config.ts';
import type { GenerationJob } from '@trifold/crds';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service, ServiceOptions } from '../controller/world.ts';
import { eventually } from '../support/conditions.ts';
import { WebhookWorld } from './webhook-world.ts';

const LIMITS = { ...SPOOL_LIMITS, mostPending: 4, refillBelow: 3 };

let world: WebhookWorld;
beforeEach(async () => {
  world = await WebhookWorld.create();
});
afterEach(() => world.destroy());

const boot = (options: ServiceOptions = {}, keep = {}): Promise<Service> =>
  world.boot({ ...options, webhooks: { spool: LIMITS, ...keep } });

const down = () => {
  world.receiver.answer = (_request, response) => void response.writeHead(503).end();
};
const up = () => {
  world.receiver.answer = (_request, response) => void response.end('ok');
};

const spooled = async () => (await world.world.store.list('webhooks/')).objects.map(({ key }) => key);

/** Finishes documents one after the other, each when the event of the one before is somewhere. */
async function events(count: number): Promise<GenerationJob[]> {
  const jobs: GenerationJob[] = [];
  for (let made = 0; made < count; made += 1) {
    const before = (await world.all()).length + (await spooled()).length;
    const { metadata } = await world.world.gatewayJob();
    jobs.push(await world.world.finished(metadata.name));
    await eventually(
      'the event is kept',
      async () => (await world.all()).length + (await spooled()).length > before,
      { intervalMs: 2 },
    );
    world.world.clock.advance(10);
  }
  return jobs;
}

interface Told {
  readonly event: string;
  readonly document: string;
}

/** What the receiver was told with success. */
const told = (from = 0): Told[] =>
  world.receiver.received.slice(from).map(({ body }) => {
    const { id, data } = JSON.parse(body) as { id: string; data: { id: string } };
    return { event: id, document: data.id };
  });

/** Lets time pass until all of this was delivered. */
async function allDelivered(count: number): Promise<void> {
  await eventually(
    `${count} are delivered`,
    async () => {
      world.world.clock.advance(5_000);
      const all = await world.all();
      return all.length === count && all.every(({ status }) => status?.phase === 'Delivered');
    },
    { intervalMs: 10 },
  );
}

const condition = async (type: string) =>
  (await world.inForce()).status?.conditions?.find((each) => each.type === type);

describe('an endpoint that too many deliveries wait for', () => {
  it('has its further events spooled, is backlogged, and gets every event once when it is back', async () => {
    down();
    const service = await boot();
    const { metadata } = await world.endpoint();
    await world.inForce();
    const jobs = await events(10);
    expect(await world.all()).toHaveLength(4);
    const keys = await spooled();
    expect(keys).toHaveLength(6);
    for (const key of keys) {
      expect(key).toMatch(new RegExp(`^webhooks/default/${metadata.uid}/20261121T1200Z/evt-`));
    }
    const backlogged = await eventually('it says so', async () => {
      world.world.clock.advance(1_000);
      const found = await condition('Backlogged');
      return found?.message.startsWith('6 events') ? found : undefined;
    });
    expect(backlogged).toMatchObject({ status: 'True', reason: 'Spooled' });
    expect((await world.inForce()).status).toMatchObject({ pending: 4, spooled: 6 });
    expect(await service.metrics.render()).toContain('trifold_webhook_spooled 6');
    await world.idle();
    up();
    const from = world.receiver.received.length;
    await allDelivered(10);
    expect(await spooled()).toEqual([]);
    const documents = told(from).map(({ document }) => document);
    expect(documents.toSorted()).toEqual(jobs.map(({ metadata: { name } }) => name).toSorted());
    // What was spooled comes after what was pending, and in its order but for attempts at the same time.
    const places = documents.map((name) => jobs.findIndex((job) => job.metadata.name === name));
    expect(places.slice(0, 4).toSorted()).toEqual([0, 1, 2, 3]);
    await eventually('it is backlogged no more', async () => {
      world.world.clock.advance(1_000);
      return (await condition('Backlogged'))?.status === 'False';
    });
    expect((await world.inForce()).status).toMatchObject({ spooled: 0 });
  });
});
