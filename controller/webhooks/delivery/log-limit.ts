import type { WebhookDelivery } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { KEPT, keptAt } from './delivery-indexes.ts';

interface Kept {
  readonly Delivered: number;
  readonly Failed: number;
}

/** Maximum number of settled deliveries of any age, per endpoint or per account's callbacks. */
const MAX_KEPT: Kept = {
  Delivered: BOUNDS.deliveredDeliveries.limit.value,
  Failed: BOUNDS.failedDeliveries.limit.value,
};
/** Maximum number of an account's settled deliveries. */
const MAX_OF_ACCOUNT: Kept = {
  Delivered: BOUNDS.accountDeliveries.limit.value,
  Failed: BOUNDS.accountDeliveries.limit.value,
};

/** Fraction by which the maximum may be exceeded before the oldest are deleted. */
const SLACK = 0.1;

/**
 * Keeps the log of a busy endpoint or account from filling the API server: if there are too many deliveries, the oldest
 * are deleted early.
 */
export class LogLimit {
  readonly #cache: Pick<Informer<WebhookDelivery>, 'byIndex' | 'countByIndex'>;
  readonly #requests: Pick<RequestSource, 'enqueue'>;
  /** In the order of `keptAt`. */
  readonly #limits: readonly Kept[];
  /** Index values of the deliveries to be deleted, by key. */
  readonly #surplus = new Map<string, readonly string[]>();
  /** Number of deliveries per index value that are to be deleted and may still exist. */
  readonly #going = new Map<string, number>();

  /** `requests` gets the keys of the deliveries to delete. */
  constructor(
    cache: Pick<Informer<WebhookDelivery>, 'byIndex' | 'countByIndex'>,
    requests: Pick<RequestSource, 'enqueue'>,
    most = MAX_KEPT,
    ofAccount = MAX_OF_ACCOUNT,
  ) {
    this.#cache = cache;
    this.#requests = requests;
    this.#limits = [most, ofAccount];
  }

  /**
   * Records a delivery that has ended, or one that is to be sent again and is therefore kept. Requests the deletions
   * that are due.
   */
  note(delivery: WebhookDelivery): void {
    const values = keptAt(delivery);
    const phase = delivery.status?.phase === 'Failed' ? 'Failed' : 'Delivered';
    if (this.#surplus.get(deliveryKey(delivery.metadata))?.[0] !== values[0]) this.forget(delivery.metadata);
    for (const [index, value] of values.entries()) {
      this.#markExcess(value, this.#limits[index]?.[phase] ?? Infinity);
    }
  }

  /** Marks the oldest deliveries beyond the limit as surplus. */
  #markExcess(value: string, most: number): void {
    const staying = this.#cache.countByIndex(KEPT, value) - (this.#going.get(value) ?? 0);
    if (staying <= most * (1 + SLACK)) return;
    const all = this.#cache.byIndex(KEPT, value).toSorted(byName);
    const oldest = all
      .slice(0, all.length - most)
      .filter(({ metadata }) => !this.#surplus.has(deliveryKey(metadata)));
    for (const each of oldest) {
      const { namespace = '', name } = each.metadata;
      const values = keptAt(each);
      this.#surplus.set(deliveryKey(each.metadata), values);
      for (const one of values) this.#going.set(one, (this.#going.get(one) ?? 0) + 1);
      this.#requests.enqueue({ namespace, name });
    }
  }

  /** Whether the delivery is to be deleted early. */
  isSurplus({ metadata }: WebhookDelivery): boolean {
    return this.#surplus.has(deliveryKey(metadata));
  }

  /** Records that a delivery is no longer surplus, or that it has been deleted and has left the cache. */
  forget(delivery: ObjectKey): void {
    const key = deliveryKey(delivery);
    const values = this.#surplus.get(key) ?? [];
    this.#surplus.delete(key);
    for (const value of values) {
      const left = (this.#going.get(value) ?? 0) - 1;
      if (left > 0) this.#going.set(value, left);
      else this.#going.delete(value);
    }
  }
}

function deliveryKey({ namespace, name }: ObjectKey): string {
  return formatKey(namespace, name);
}

/** Names begin with the time of the event. */
function byName({ metadata: one }: WebhookDelivery, { metadata: other }: WebhookDelivery): number {
  return one.name < other.name ? -1 : 1;
}
