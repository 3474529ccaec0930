import type { Draft, WebhookDelivery } from '@trifold/crds';
import { formatKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { LRUCache } from 'lru-cache';
import type { Deliveries } from './delivery/deliveries.ts';
import type { Subscriptions } from './events/subscriptions.ts';
import type { EventSpool } from './spool/event-spool.ts';
import { spoolOf } from './spool/spooled-event.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export interface OutboxDependencies {
  readonly deliveries: Pick<Deliveries, 'get' | 'createOnce' | 'quotaOf'>;
  readonly subscriptions: Pick<Subscriptions, 'endpointOf'>;
  readonly spool: Pick<EventSpool, 'isOpen' | 'put'>;
  readonly metrics: Pick<WebhookMetrics, 'ended'>;
}

/** Number of deliveries remembered as done. A repeated call for such a delivery makes no request. */
const MAX_REMEMBERED = 10_000;

/**
 * Creates the deliveries for events, or spools the events while too many deliveries to their destination are pending.
 */
export class Outbox {
  readonly #d: OutboxDependencies;
  /** Recent deliveries, by key, that exist, are spooled or have no endpoint. */
  readonly #done = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(dependencies: OutboxDependencies) {
    this.#d = dependencies;
  }

  /**
   * Resolves when each of these deliveries exists or is spooled, except deliveries to deleted endpoints. Their names
   * are always the same, so that creating them again after a crash has no effect.
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
    const { deliveries, metrics, spool } = this.#d;
    const address = spoolOf(draft);
    const { type } = draft.spec.event;
    if (!spool.isOpen(address.destination) && deliveries.quotaOf(address) > 0) {
      await deliveries.createOnce(draft);
    } else if (type === 'batch.progress') metrics.ended(type, 'superseded');
    else await spool.put(draft);
  }
}
