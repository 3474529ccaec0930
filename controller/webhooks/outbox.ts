import type { Draft, WebhookDelivery } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { formatKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { LRUCache } from 'lru-cache';
import type { SpoolLimits } from './config.ts';
import { destinationOf } from './delivery/delivery-indexes.ts';
import { pendingQuota } from './delivery/delivery-quota.ts';
import type { Subscriptions } from './events/subscriptions.ts';
import { createOnce, type EventSpool } from './spool/event-spool.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export interface OutboxDependencies {
  readonly deliveryClient: Pick<ResourceClient<WebhookDelivery>, 'create'>;
  readonly deliveries: Pick<Informer<WebhookDelivery>, 'get' | 'mutated' | 'countByIndex'>;
  readonly subscriptions: Pick<Subscriptions, 'endpointOf'>;
  readonly spool: Pick<EventSpool, 'isOpen' | 'put'>;
  readonly limits: SpoolLimits;
  readonly metrics: Pick<WebhookMetrics, 'ended'>;
}

/** Number of deliveries that are known to need nothing more, so that a repeated call makes no request. */
const MAX_REMEMBERED = 10_000;

/** Creates the deliveries of events, or spools the events while too many deliveries to their destination are pending. */
export class Outbox {
  readonly #d: OutboxDependencies;
  /** Recent deliveries that exist, are spooled or have no endpoint, by key. */
  readonly #done = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(dependencies: OutboxDependencies) {
    this.#d = dependencies;
  }

  /**
   * Resolves when each of these deliveries exists or is spooled, except those to deleted endpoints. Their names are
   * always the same, so that creating them again after a crash has no effect.
   */
  async deliver(drafts: readonly Draft<WebhookDelivery>[]): Promise<void> {
    await Promise.all(
      drafts.map(async (draft) => {
        const { namespace, name } = draft.metadata;
        const key = formatKey(namespace, name);
        if (this.#done.has(key) || this.#d.deliveries.get(namespace, name)) return;
        if ((await this.#d.subscriptions.endpointOf(draft)) !== 'deleted') await this.#create(draft);
        this.#done.set(key, true);
      }),
    );
  }

  /**
   * Creates the delivery, or spools it while too many are pending for its destination or events are spooled for it.
   * Drops a progress event that has to wait, because a later event supersedes it.
   */
  async #create(draft: Draft<WebhookDelivery>): Promise<void> {
    const { metrics, spool } = this.#d;
    const destination = destinationOf(draft);
    const { namespace: account = 'default' } = draft.metadata;
    const { type } = draft.spec.event;
    if (!spool.isOpen(destination) && pendingQuota(this.#d, { account, destination }) > 0) {
      await createOnce(this.#d, draft);
    } else if (type === 'batch.progress') metrics.ended(type, 'superseded');
    else await spool.put(draft);
  }
}
