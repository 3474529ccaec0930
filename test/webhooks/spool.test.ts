import { SPOOL_LIMITS } from '@trifold/controller/webhooks/config.ts';
import { destinationOf } from '@trifold/controller/webhooks/delivery/delivery-indexes.ts';
import { isFinished, type GenerationJob, type GenerationJobSpec, type WebhookDelivery } from '@trifold/crds';
import { EVENT, type CoreEvent } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { ObjectStoreError, type ObjectStore } from '@trifold/platform/object-store/port.ts';
import { describe, expect, it } from 'vitest';
import type { Service, ServiceOptions } from '@trifold/controller/testing/controller-fixture.ts';
import {
  aroundWrites,
  CrashingProcess,
  FOREVER,
  type Around,
} from '@trifold/controller/testing/crashing-process.ts';
import { eventually } from '../support/eventually.ts';
import { WebhookFixture } from './webhook-fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** For tests that advance the clock in small steps. */
const OFTEN = { intervalMs: 5 };
const LIMITS = { ...SPOOL_LIMITS, maxPending: 4, refillBelow: 3 };

const fixture = WebhookFixture.forEachTest();

const boot = (options: ServiceOptions = {}, keep = {}): Promise<Service> =>
  fixture.boot({ ...options, webhooks: { spool: LIMITS, ...keep } });

const down = () => fixture.answering(503);
const up = () => fixture.answering(200);

const spooled = async () => (await fixture.controller.store.list('webhooks/')).objects.map(({ key }) => key);

/** Short enough that no attempt times out, long enough for retries. */
const A_MOMENT_MS = 20;

async function finished(name: string): Promise<GenerationJob> {
  const isOver = async () => {
    const job = await fixture.controller.find(name);
    return job && isFinished(job) ? job : false;
  };
  return fixture.clock.passUntil(A_MOMENT_MS, isOver, OFTEN);
}

/** Finishes documents one after another, each once the previous one's event is delivered or spooled. */
async function events(count: number, spec: Partial<GenerationJobSpec> = {}): Promise<GenerationJob[]> {
  const jobs: GenerationJob[] = [];
  for (let made = 0; made < count; made += 1) {
    const before = (await fixture.all()).length + (await spooled()).length;
    const { metadata } = await fixture.controller.gatewayJob(spec);
    jobs.push(await finished(metadata.name));
    await eventually(async () => (await fixture.all()).length + (await spooled()).length > before, {
      intervalMs: 2,
    });
    fixture.clock.advance(10);
  }
  return jobs;
}

/** Returns the store with the spool's writes wrapped in `through`. */
const spoolStore = (store: ObjectStore, through: Around) =>
  aroundWrites(store, (write, key) => (key.startsWith('webhooks/') ? through(write, key) : write()));

/**
 * Starts a controller that is killed at its n-th write to a delivery or the spool. The last write either takes effect,
 * unseen by the controller, or does not.
 */
async function bootKilled(killed: CrashingProcess, webhooks: object, creations: Creations): Promise<Service> {
  const { transport } = killed.wrap;
  const wrap = {
    transport: (inner: ApiTransport) => transport(creations.watch(inner)),
    store: (inner: ObjectStore) => spoolStore(inner, killed.step),
  };
  return fixture.boot({ dead: () => killed.dead, wrap, outbound: fixture.outboundOf(killed), webhooks });
}

/** Records which deliveries are created. */
class Creations {
  readonly names: string[] = [];

  get repeated(): string[] {
    return this.names.filter((name, index) => this.names.indexOf(name) !== index);
  }

  readonly watch = (inner: ApiTransport): ApiTransport => ({
    send: async (request) => {
      const response = await inner.send(request);
      if (isCreation(request) && response.status === 201) this.names.push(nameIn(request));
      return response;
    },
  });
}

const isCreation = ({ method, path }: ApiRequest) => method === 'POST' && path.endsWith('/webhookdeliveries');
const nameIn = ({ body }: ApiRequest) => (JSON.parse(body ?? '{}') as WebhookDelivery).metadata.name;

interface SpooledText {
  readonly spec: { readonly event: { readonly type: string } };
}

interface Told {
  readonly event: string;
  readonly document: string;
}

/** The events that the receiver has received and accepted. */
const told = (from = 0): Told[] =>
  fixture.receiver.received.slice(from).map(({ body }) => {
    const { id, data } = JSON.parse(body) as { id: string; data: { id: string } };
    return { event: id, document: data.id };
  });

/** Advances from attempt to attempt until all events are delivered. */
async function allDelivered(count: number): Promise<void> {
  await eventually(
    async () => {
      const all = await fixture.all();
      const waiting = all.filter(({ status }) => status?.phase !== 'Delivered');
      if (waiting.length === 0 && all.length === count) return true;
      const now = fixture.clock.now().getTime();
      const next = waiting.map(({ status }) => Date.parse(status?.nextAttemptAt ?? '') || 0);
      // Due attempts are in flight, so the clock hardly moves.
      const isLater = next.length > 0 && Math.min(...next) > now;
      fixture.clock.advance(isLater ? Math.min(...next) - now : A_MOMENT_MS);
      return false;
    },
    { intervalMs: 10 },
  );
}

const condition = async (type: string) =>
  (await fixture.inForce()).status?.conditions?.find((each) => each.type === type);

it('An endpoint with too many waiting deliveries has further events spooled, is Backlogged, and receives every event once when it recovers', async () => {
  down();
  const service = await boot();
  const { metadata } = await fixture.activeEndpoint();
  const jobs = await events(10);
  expect(await fixture.all()).toHaveLength(4);
  const keys = await spooled();
  expect(keys).toHaveLength(6);
  for (const key of keys) {
    expect(key).toMatch(new RegExp(`^webhooks/default/${metadata.uid}/20261121T1200Z/evt-`));
  }
  const backlogged = await fixture.clock.passUntil(1_000, async () => {
    const found = await condition('Backlogged');
    return found?.message.startsWith('6 events') ? found : false;
  });
  expect(backlogged).toMatchObject({ status: 'True', reason: 'Spooled' });
  expect((await fixture.inForce()).status).toMatchObject({ pending: 4, spooled: 6 });
  expect(await service.metrics.render()).toContain('trifold_webhook_spooled 6');
  await fixture.idle();
  up();
  const from = fixture.receiver.received.length;
  await allDelivered(10);
  expect(await spooled()).toEqual([]);
  const documents = told(from).map(({ document }) => document);
  expect(documents.toSorted()).toEqual(jobs.map(({ metadata: { name } }) => name).toSorted());
  // Roughly in order: off by no more than the number that may be pending concurrently, each until its next attempt,
  // plus as many that took their places.
  const places = documents.map((name) => jobs.findIndex((job) => job.metadata.name === name));
  for (const [index, place] of places.entries()) expect(Math.abs(place - index)).toBeLessThanOrEqual(8);
  await fixture.clock.passUntil(1_000, async () => (await condition('Backlogged'))?.status === 'False');
  expect((await fixture.inForce()).status).toMatchObject({ spooled: 0 });
});

it('An endpoint that is deleted does not receive spooled events, and neither does another endpoint with the same name', async () => {
  down();
  await boot();
  await fixture.activeEndpoint();
  await events(7);
  expect(await spooled()).toHaveLength(3);
  await fixture.endpoints.delete('default', 'account');
  await eventually(async () => (await spooled()).length === 0);
  await fixture.clock.passUntil(MINUTE, async () =>
    (await fixture.all()).every(({ status }) => status?.phase === 'Failed'),
  );
  up();
  const from = fixture.receiver.received.length;
  await fixture.activeEndpoint();
  const [job] = await events(1);
  await fixture.received(from + 1);
  expect(told(from).map(({ document }) => document)).toEqual([job?.metadata.name]);
  expect(await fixture.all()).toHaveLength(5);
});

it('An endpoint that is deleted leaves nothing in the spool even if no controller runs when it is deleted', async () => {
  down();
  const first = await boot();
  await fixture.activeEndpoint();
  await events(6);
  await first.stop();
  await fixture.endpoints.delete('default', 'account');
  await boot();
  await eventually(async () => (await spooled()).length === 0);
  expect(await fixture.all()).toHaveLength(4);
});

it('An unavailable object store leaves events with their documents until it recovers', async () => {
  down();
  let away = false;
  const failing = (store: ObjectStore) =>
    spoolStore(store, async (write) => {
      if (away) throw new ObjectStoreError('unavailable', 'it is away');
      return write();
    });
  await boot({ wrap: { store: failing } });
  await fixture.activeEndpoint();
  await events(4);
  away = true;
  const late = await fixture.controller.gatewayJob();
  await finished(late.metadata.name);
  // This is far longer than a finished document is kept.
  for (let minutes = 0; minutes < 30; minutes += 1) {
    fixture.clock.advance(MINUTE);
    await fixture.all();
  }
  expect(await spooled()).toEqual([]);
  expect(await fixture.controller.find(late.metadata.name)).toBeDefined();
  away = false;
  await fixture.clock.passUntil(1_000, async () => (await spooled()).length === 1);
  up();
  const from = fixture.receiver.received.length;
  await allDelivered(5);
  expect(told(from).map(({ document }) => document)).toContain(late.metadata.name);
});

it('Events spooled for too long are dropped, and the endpoint gets a warning event', async () => {
  down();
  const service = await boot();
  await fixture.activeEndpoint();
  await events(6);
  fixture.clock.advance(72 * HOUR);
  for (let looks = 0; looks < 10; looks += 1) await fixture.all();
  expect(await spooled()).toHaveLength(2);
  await fixture.clock.passUntil(MINUTE, async () => (await spooled()).length === 0);
  // They are counted after all are deleted.
  await eventually(async () =>
    expect(await service.metrics.render()).toContain('trifold_webhook_spool_expired_total 2'),
  );
  const warned = await eventually(async () => {
    const { items } = await fixture.controller.kubernetes
      .builtin<CoreEvent>(EVENT)
      .list({ namespace: 'default' });
    return items.find(({ reason }) => reason === 'EventsExpired') ?? false;
  });
  const message = '2 events were dropped after 72 hours in the object store';
  expect(warned).toMatchObject({ type: 'Warning', message });
});

it('A batch with spooled events spools its end and skips its progress', async () => {
  down();
  await boot({}, { spool: { ...LIMITS, maxPending: 1, refillBelow: 1 } });
  await fixture.activeEndpoint();
  await events(1);
  const items = Array.from({ length: 10 }, (_, index) => ({ number: `R-${index}` }));
  const { metadata } = await fixture.controller.batch(items);
  await fixture.controller.finishedBatch(metadata.name);
  await eventually(async () => (await spooled()).length > 0);
  const bodies = await Promise.all((await spooled()).map((key) => fixture.controller.store.read(key)));
  const types = bodies.map((body) => (JSON.parse(String(body)) as SpooledText).spec.event.type);
  expect(types).toEqual(['batch.completed']);
  expect((await fixture.all()).map(({ spec }) => spec.event.type)).toEqual(['document.completed']);
});

const numbered = (url: string) => {
  const event = { id: 'evt-1', type: 'generation.completed', createdAt: '', payload: '' } as const;
  return destinationOf({ metadata: { namespace: 'default' }, spec: { event, url } });
};

it("One account's callbacks to an origin with too many waiting deliveries are spooled without delaying other origins, and are sent once when it recovers, by any controller", async () => {
  const places = () => [fixture.receiver.url('/away'), fixture.receiver.url('/well', 'localhost')] as const;
  // With certain ports, both would count as the same destination.
  while (new Set(places().map(numbered)).size === 1) await fixture.renew();
  const [away, well] = places();
  fixture.receiver.answer = ({ path }, response) =>
    void response.writeHead(path === '/away' ? 503 : 200).end();
  const first = await boot();
  const jobs = await events(10, { callbackURL: away });
  expect(await fixture.all()).toHaveLength(4);
  const keys = await spooled();
  expect(keys).toHaveLength(6);
  for (const key of keys) {
    expect(key).toMatch(/^webhooks\/default\/callbacks-\d+\.default\/20261121T1200Z\/evt-/);
  }
  await eventually(async () => expect(await first.metrics.render()).toContain('trifold_webhook_spooled 6'));
  await events(5, { callbackURL: well });
  await eventually(async () => fixture.receiver.at('/well').length === 5, { intervalMs: 5 });
  expect(await spooled()).toHaveLength(6);
  // Documents are deleted as soon as their events are stored.
  await fixture.clock.passUntil(
    MINUTE,
    async () => (await fixture.controller.jobs.list({ namespace: 'default' })).items.length === 0,
  );
  await fixture.idle();
  await first.stop();

  up();
  const from = fixture.receiver.received.length;
  await boot();
  await allDelivered(15);
  expect(await spooled()).toEqual([]);
  const documents = told(from).map(({ document }) => document);
  expect(documents.toSorted()).toEqual(jobs.map(({ metadata: { name } }) => name).toSorted());
  const signed = fixture.receiver.received.filter(({ headers }) => 'x-trifold-signature' in headers);
  expect(signed).toEqual([]);
});

it('Two concurrent controllers create every delivery once', async () => {
  down();
  const creations = new Creations();
  const wrap = { transport: creations.watch };
  await boot({ wrap });
  await boot({ wrap });
  await fixture.activeEndpoint();
  const jobs = await events(12);
  up();
  await allDelivered(12);
  expect(creations.repeated).toEqual([]);
  expect(new Set(told().map(({ document }) => document))).toEqual(
    new Set(jobs.map(({ metadata }) => metadata.name)),
  );
});

describe('A controller that is killed', () => {
  /**
   * Spools three of five events and waits until their documents are gone: then only deliveries and the spool contain
   * the events.
   */
  async function spoolThree(to: 'endpoint' | 'callback'): Promise<string[]> {
    down();
    const service = await boot({}, RETENTION);
    if (to === 'endpoint') await fixture.activeEndpoint();
    const jobs = await events(5, to === 'callback' ? { callbackURL: fixture.receiver.url('/callback') } : {});
    await fixture.clock.passUntil(
      MINUTE,
      async () => (await fixture.controller.jobs.list({ namespace: 'default' })).items.length === 0,
      OFTEN,
    );
    expect(await spooled()).toHaveLength(3);
    await service.stop();
    // Everything is due.
    fixture.clock.advance(HOUR);
    up();
    return jobs.map(({ metadata }) => metadata.name);
  }

  /** Checks the spool first: an event that has left it is a delivery by then. */
  const isOver = async () => (await spooled()).length === 0 && (await fixture.all()).length === 0;

  const RETENTION = { spool: { ...LIMITS, maxPending: 2, refillBelow: 2 }, keepDeliveredMs: 0 };
  const points = Array.from({ length: 12 }, (_, index) => index + 1).flatMap((dies) =>
    [false, true].map((reached) => ({ to: 'endpoint' as const, dies, reached })),
  );
  const ofCallbacks = points.slice(2, 8).map((point) => ({ ...point, to: 'callback' as const }));

  it.each([...points, ...ofCallbacks])(
    'at write $dies of a refill to the $to (reached: $reached) neither loses nor repeats anything',
    async ({ to, dies, reached }) => {
      const names = await spoolThree(to);
      const creations = new Creations();
      const killed = new CrashingProcess(dies, reached, ({ path }) => path.includes('/webhookdeliveries'));
      const from = fixture.receiver.received.length;
      await bootKilled(killed, RETENTION, creations);
      await fixture.clock.passUntil(A_MOMENT_MS, async () => killed.dead || isOver(), OFTEN);
      await boot({ wrap: { transport: creations.watch } }, RETENTION);
      await fixture.clock.passUntil(A_MOMENT_MS, isOver, OFTEN);
      const documents = told(from).map(({ document }) => document);
      expect(new Set(documents)).toEqual(new Set(names));
      // At most the in-flight attempts are repeated; no delivery is created twice, however soon the first one is
      // deleted.
      expect(documents.length).toBeLessThanOrEqual(names.length + 2);
      expect(creations.names).toHaveLength(3);
      expect(creations.repeated).toEqual([]);
    },
  );

  it.each([
    { dies: 1, reached: false },
    { dies: 1, reached: true },
    { dies: 2, reached: false },
    { dies: 2, reached: true },
  ])('at put $dies (reached: $reached) spools the event after the next start', async ({ dies, reached }) => {
    down();
    let puts = 0;
    const dying = (store: ObjectStore) =>
      spoolStore(store, async (write) => {
        puts += 1;
        if (puts < dies) return write();
        if (reached) await write();
        return FOREVER;
      });
    const first = await boot({ wrap: { store: dying } });
    await fixture.activeEndpoint();
    await events(3 + dies);
    const { metadata } = await fixture.controller.gatewayJob();
    await finished(metadata.name);
    await eventually(async () => puts >= dies, OFTEN);
    first.abandonWork();
    await boot();
    await eventually(async () => (await spooled()).length === dies, OFTEN);
    up();
    await allDelivered(4 + dies);
    expect(new Set(told().map(({ document }) => document)).size).toBe(4 + dies);
  });
});
