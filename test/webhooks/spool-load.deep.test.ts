import { Caches } from '@trifold/controller/caches.ts';
import { loadControllerConfig } from '@trifold/controller/config.ts';
import { contextOf } from '@trifold/controller/context.ts';
import { loadWebhooksConfig, SPOOL_LIMITS } from '@trifold/controller/webhooks/config.ts';
import { deliveriesOfJob } from '@trifold/controller/webhooks/events/job-events.ts';
import { Webhooks } from '@trifold/controller/webhooks/webhooks.ts';
import { newId, type GenerationJob } from '@trifold/crds';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { Metrics } from '@trifold/platform/service/metrics.ts';
import type { OutboundResult } from '@trifold/platform/outbound/outbound-client.ts';
import { OutboundError } from '@trifold/platform/outbound/outbound-error.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { WEBHOOK_KEY, WebhookFixture } from './webhook-fixture.ts';

const EVENTS = 10_500;
const PENDING = 500;
/** Time without progress after which the test fails. Everything else takes as long as the machine needs. */
const STANDSTILL_MS = 60_000;

let fixture: WebhookFixture;
beforeEach(async () => {
  fixture = await WebhookFixture.create();
});
afterEach(() => fixture.destroy());

it(
  'an endpoint that was down for very many events receives each of them once, roughly in order',
  { timeout: 15 * 60_000 },
  async () => {
    const { checkPool, clock, kubernetes, store } = fixture.controller;
    let isUp = false;
    const told: string[] = [];
    const post = async ({ body }: { body: string }): Promise<OutboundResult> => {
      if (!isUp) return { status: 503, error: new OutboundError('http_error', 'it is down'), durationMs: 1 };
      told.push((JSON.parse(body) as { data: { id: string } }).data.id);
      return { status: 200, durationMs: 1 };
    };
    const webhooksConfig = {
      ...loadWebhooksConfig({ TRIFOLD_WEBHOOK_KEY: WEBHOOK_KEY }),
      spool: { ...SPOOL_LIMITS, mostPending: PENDING, refillBelow: 400 },
    };
    const context = contextOf({
      kubernetes,
      store,
      queue: new InProcessQueue({ clock }),
      checkPool,
      clock,
      logger: createLogger({ level: 'silent', name: 'test' }),
      metrics: new Metrics(),
      config: { ...loadControllerConfig({}), webhooks: webhooksConfig },
      outbound: { post, close: () => undefined },
    });
    const caches = new Caches(context);
    const webhooks = new Webhooks(context, caches);
    const { metadata } = await fixture.endpoint();
    await caches.warm();
    await caches.fillPast();
    webhooks.start();
    const deliverTo = [{ name: metadata.name, uid: metadata.uid }];
    const jobs = Array.from({ length: EVENTS }, (_, index) => {
      const at = new Date(clock.now().getTime() + index);
      return finishedJob(at, deliverTo);
    });
    await inParallel(jobs, 8, (job) => webhooks.outbox.deliver(deliveriesOfJob(job)));
    const pendingAtMost = (await fixture.all()).length;
    expect(pendingAtMost).toBeGreaterThanOrEqual(PENDING);
    expect(pendingAtMost).toBeLessThan(PENDING + 8);
    isUp = true;
    clock.advance(60_000);
    await eventually(async () => (clock.advance(20), told.length >= EVENTS), {
      intervalMs: 20,
      timeoutMs: 14 * 60_000,
      giveUp: atStandstill(() => told.length),
    });
    expect(new Set(told).size).toBe(EVENTS);
    expect(told).toHaveLength(EVENTS);
    const places = new Map(jobs.map((job, index) => [job.metadata.name, index]));
    const off = told.map((name, index) => Math.abs((places.get(name) ?? 0) - index));
    expect(Math.max(...off)).toBeLessThan(2 * PENDING);
    expect((await store.list('webhooks/')).objects).toEqual([]);
    await webhooks.stop(0);
    await caches.stop();
  },
);

/** Returns an error when the count has not grown for too long. */
function atStandstill(count: () => number): () => Error | undefined {
  let most = -1;
  let grewAt = 0;
  return () => {
    if (count() > most) [most, grewAt] = [count(), performance.now()];
    return performance.now() - grewAt > STANDSTILL_MS ? new Error(`it stands still at ${most}`) : undefined;
  };
}

function finishedJob(at: Date, deliverTo: { name: string; uid: string }[]): GenerationJob {
  const name = newId('gen', at);
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'GenerationJob',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: at.toISOString(),
    },
    spec: { templateRef: { name: 'invoice' }, data: {} },
    status: { phase: 'Completed', finishedAt: at.toISOString(), deliverTo },
  };
}
