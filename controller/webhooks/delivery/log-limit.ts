import type { WebhookDelivery } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { KEPT, keptAt } from './delivery-indexes.ts';

/** Maximum settled deliveries of one endpoint, or of the callbacks of one account, whatever their age. */
const MOST_KEPT: Readonly<Record<'Delivered' | 'Failed', number>> = {
  Delivered: BOUNDS.deliveredDeliveries.limit.value,
  Failed: BOUNDS.failedDeliveries.limit.value,
};

/** Share by which the maximum may be exceeded before the oldest are deleted. */
const SLACK = 0.1;

/**
 * Keeps the log of a busy endpoint from filling the API server: if there are too many deliveries, the oldest are
 * deleted early.
 */
export class LogLimit {
  readonly #cache: Pick<Informer<WebhookDelivery>, 'byIndex' | 'countByIndex'>;
  readonly #most: typeof MOST_KEPT;
  /** Index values of the deliveries to delete, by key. */
  readonly #surplus = new Map<string, string>();
  /** Number of deliveries of an index value that are to be deleted and may still exist. */
  readonly #going = new Map<string, number>();

  constructor(cache: Pick<Informer<WebhookDelivery>, 'byIndex' | 'countByIndex'>, most = MOST_KEPT) {
    this.#cache = cache;
    this.#most = most;
  }

  /**
   * Records a delivery that has ended, or that is to be sent again, which saves it. Returns the deliveries to delete
   * now.
   */
  note(delivery: WebhookDelivery): ObjectKey[] {
    const [value] = keptAt(delivery);
    if (this.#surplus.get(deliveryKey(delivery.metadata)) !== value) this.forget(delivery.metadata);
    if (value === undefined) return [];
    const most = delivery.status?.phase === 'Failed' ? this.#most.Failed : this.#most.Delivered;
    const staying = this.#cache.countByIndex(KEPT, value) - (this.#going.get(value) ?? 0);
    if (staying <= most * (1 + SLACK)) return [];
    const all = this.#cache.byIndex(KEPT, value).toSorted(byName);
    const oldest = all
      .slice(0, all.length - most)
      .filter(({ metadata }) => !this.#surplus.has(deliveryKey(metadata)));
    for (const { metadata } of oldest) this.#surplus.set(deliveryKey(metadata), value);
    this.#going.set(value, (this.#going.get(value) ?? 0) + oldest.length);
    return oldest.map(({ metadata: { namespace = '', name } }) => ({ namespace, name }));
  }

  /** Whether the delivery is to be deleted early. */
  isSurplus({ metadata }: WebhookDelivery): boolean {
    return this.#surplus.has(deliveryKey(metadata));
  }

  /** Records that a delivery is gone, from the cache as well, or is no longer surplus. */
  forget(delivery: ObjectKey): void {
    const key = deliveryKey(delivery);
    const value = this.#surplus.get(key);
    if (value === undefined) return;
    this.#surplus.delete(key);
    const left = (this.#going.get(value) ?? 0) - 1;
    if (left > 0) this.#going.set(value, left);
    else this.#going.delete(value);
  }
}

function deliveryKey({ namespace, name }: ObjectKey): string {
  return formatKey(namespace, name);
}

/** Names begin with the time of the event. */
function byName({ metadata: one }: WebhookDelivery, { metadata: other }: WebhookDelivery): number {
  return one.name < other.name ? -1 : 1;
}
