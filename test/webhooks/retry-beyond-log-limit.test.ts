import { DeliveryReconciler } from '@trifold/controller/webhooks/delivery/delivery-reconciler.ts';
import { loadWebhooksConfig } from '@trifold/controller/webhooks/config.ts';
import { Deliveries } from '@trifold/controller/webhooks/delivery/deliveries.ts';
import { DELIVERY_INDEXES } from '@trifold/controller/webhooks/delivery/delivery-indexes.ts';
import { LogLimit } from '@trifold/controller/webhooks/delivery/log-limit.ts';
import { deliveryOf, RETRY_ANNOTATION, WEBHOOK_DELIVERY, type WebhookDelivery } from '@trifold/crds';
import { MutationCache } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { expect, it } from 'vitest';
import { ControllerFixture } from '@trifold/controller/testing/controller-fixture.ts';

const fixture = ControllerFixture.forEachTest();

it('a retry cancels the deletion of a failed delivery beyond the log limit', async () => {
  const { clock, kubernetes } = fixture;
  const config = loadWebhooksConfig({});
  const events = { warn: () => undefined };
  const logger = { warn: () => undefined, error: () => undefined };
  const client = kubernetes.resource(WEBHOOK_DELIVERY);
  const cache = new MutationCache<WebhookDelivery>({ indexes: DELIVERY_INDEXES });
  const surplus: ObjectKey[] = [];
  const limit = new LogLimit(cache, { enqueue: (key) => surplus.push(key) }, { Delivered: 0, Failed: 0 });
  const begun: string[] = [];
  const idle = { sending: false, outcome: undefined, notBefore: -Infinity };
  const reconciler = new DeliveryReconciler({
    deliveries: new Deliveries({ client, cache, limits: config.spool, logger, events }),
    subscriptions: { endpointOf: async () => undefined },
    queue: {
      stateOf: () => idle,
      add: ({ metadata }) => begun.push(metadata.name),
      recorded: () => undefined,
      forget: () => undefined,
    },
    // Its document still exists, so it cannot be deleted yet.
    hasSubject: () => true,
    limit,
    spool: { outlive: () => Promise.reject(new Error('it is not to go')) },
    clock,
    logger,
    config,
    metrics: { attempted: () => undefined, ended: () => undefined, expired: () => undefined },
    events,
  });
  const data = { endpoint: 'account' };
  const event = { id: 'evt-1', type: 'webhook.test', createdAt: clock.now(), data } as const;
  const made = await client.create(deliveryOf('default', event, { url: 'https://hooks.example.com/' }));
  const status = { phase: 'Failed', attemptCount: 1, finishedAt: clock.now().toISOString() } as const;
  const failed = await client.replaceStatus({ ...made, status });
  cache.put(failed);
  const { name } = failed.metadata;
  limit.note(failed);
  expect(surplus).toEqual([{ namespace: 'default', name }]);

  const annotations = { [RETRY_ANNOTATION]: 'once' };
  const asked = await client.patch({ namespace: 'default', name }, { metadata: { annotations } });
  cache.put(asked);
  await reconciler.reconcile({ namespace: 'default', name }, new AbortController().signal);
  expect(begun).toEqual([name]);
  expect(limit.isSurplus(failed)).toBe(false);
});
