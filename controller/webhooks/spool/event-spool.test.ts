import { deliveryOf, type Draft, type WebhookDelivery } from '@trifold/crds';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { SPOOL_LIMITS } from '../config.ts';
import { EventSpool } from './event-spool.ts';
import { spoolOf } from './spooled-event.ts';

const clock = new FakeClock();

function draftOf(number: number): Draft<WebhookDelivery> {
  const id = `evt-${number}`;
  const data = { endpoint: 'account' };
  const event = { id, type: 'webhook.test', createdAt: clock.now(), data } as const;
  return deliveryOf('acme', event, { url: 'https://hooks.example.com/' });
}

/** Returns the delivery as the API server stores it. */
function made({ metadata, spec }: Draft<WebhookDelivery>): WebhookDelivery {
  const creationTimestamp = clock.now().toISOString();
  const server = { uid: metadata.name, resourceVersion: '1', generation: 1, creationTimestamp };
  const meta = { namespace: 'acme', name: metadata.name, ...server };
  return { apiVersion: 'trifold.dev/v1alpha1', kind: 'WebhookDelivery', metadata: meta, spec };
}

it('EventSpool postpones an object that another process holds and does not retry it in a loop', async () => {
  const store = temporaryStore();
  const slow = Promise.withResolvers<void>();
  const remove = store.delete.bind(store);
  store.delete = async (key) => {
    if (key.endsWith('evt-1')) await slow.promise;
    await remove(key);
  };
  const created: string[] = [];
  const nothing = { enqueue: () => undefined };
  const spool = new EventSpool({
    store,
    deliveries: {
      get: () => undefined,
      createOnce: async ({ spec }) => void created.push(spec.event.id),
      quotaOf: () => 100,
      hasRoomForSpooled: () => true,
    },
    subscriptions: {
      cached: () => undefined,
      findByUid: () => Promise.reject(new Error('callbacks have no endpoint')),
    },
    requests: { spools: nothing, endpoints: nothing },
    limits: SPOOL_LIMITS,
    clock,
    logger: createLogger({ level: 'silent', name: 'test' }),
    events: { warn: () => undefined },
    metrics: { expired: () => undefined },
  });
  const [held, other] = [draftOf(1), draftOf(2)];
  for (const draft of [held, other]) await spool.put(draft);
  const { account: namespace, destination: name } = spoolOf(held);
  const { signal } = new AbortController();
  const removed = spool.outlive(made(held), async () => undefined);

  expect(await spool.reconcile({ namespace, name }, signal)).toEqual({ requeueAfterMs: 10_000 });
  expect(created).toEqual(['evt-2']);
  slow.resolve();
  expect(await removed).toBe(true);
  expect(await spool.reconcile({ namespace, name }, signal)).toBeUndefined();
  expect(spool.isOpen(name)).toBe(false);
  expect(created).toEqual(['evt-2']);
});
