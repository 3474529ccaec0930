import { DeliveryMemories } from '@trifold/controller/webhooks/delivery/delivery-memories.ts';
import { DeliveryReconciler } from '@trifold/controller/webhooks/delivery/delivery-reconciler.ts';
import { loadWebhooksConfig } from '@trifold/controller/webhooks/config.ts';
import { KEPT, keptAt, LogLimit } from '@trifold/controller/webhooks/delivery/log-limit.ts';
import { deliveryOf, RETRY_ANNOTATION, WEBHOOK_DELIVERY, type WebhookDelivery } from '@trifold/crds';
import { MutationCache } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ControllerFixture } from '@trifold/controller/testing/controller-fixture.ts';

let fixture: ControllerFixture;
beforeEach(async () => {
  fixture = await ControllerFixture.create();
});
afterEach(() => fixture.destroy());

it('a retry cancels the deletion of a failed delivery beyond the log limit', async () => {
  const { clock, kubernetes } = fixture;
  const deliveries = kubernetes.resource(WEBHOOK_DELIVERY);
  const cache = new MutationCache<WebhookDelivery>({ indexes: { [KEPT]: keptAt } });
  const limit = new LogLimit(cache, { Delivered: 0, Failed: 0 });
  const memories = new DeliveryMemories();
  const begun: string[] = [];
  const reconciler = new DeliveryReconciler({
    deliveries,
    cache,
    memories,
    subscriptions: { endpointOf: async () => undefined },
    attempts: { begin: ({ metadata }) => begun.push(metadata.name), callOff: () => undefined },
    isSuperseded: () => false,
    // Its document still exists, so it cannot be deleted yet.
    hasSubject: () => true,
    limit,
    spooling: { outlive: () => Promise.reject(new Error('it is not to go')) },
    enqueue: () => undefined,
    clock,
    logger: { warn: () => undefined, error: () => undefined },
    config: loadWebhooksConfig({}),
    metrics: { attempted: () => undefined, ended: () => undefined, expired: () => undefined },
    events: { warn: () => undefined },
  });
  const event = {
    id: 'evt-1',
    type: 'webhook.test',
    createdAt: clock.now(),
    data: { endpoint: 'account' },
  } as const;
  const made = await deliveries.create(deliveryOf('default', event, { url: 'https://hooks.example.com/' }));
  const status = { phase: 'Failed', attemptCount: 1, finishedAt: clock.now().toISOString() } as const;
  const failed = await deliveries.replaceStatus({ ...made, status });
  cache.put(failed);
  const { name } = failed.metadata;
  expect(limit.note(failed)).toEqual([{ namespace: 'default', name }]);

  const annotations = { [RETRY_ANNOTATION]: 'once' };
  const asked = await deliveries.patch({ namespace: 'default', name }, { metadata: { annotations } });
  cache.put(asked);
  await reconciler.reconcile({ namespace: 'default', name }, new AbortController().signal);
  expect(begun).toEqual([name]);
  expect(limit.isSurplus(failed)).toBe(false);
});
