import { isSettled, type WebhookDelivery } from '@trifold/crds';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';

/** Index of the cache of deliveries: the settled ones of one destination, by how they ended. */
export const KEPT = 'kept';

/** Settled deliveries of one endpoint, or of the callbacks of one account, that are kept whatever their time. */
export const MOST_KEPT = { Delivered: 1_000, Failed: 5_000 } as const;

export interface LogLimitOptions {
  readonly cache: {
    byIndex(index: string, value: string): WebhookDelivery[];
    countByIndex(index: string, value: string): number;
  };
  /** @default MOST_KEPT */
  readonly most?: { readonly Delivered: number; readonly Failed: number };
}

/** So many more come together before the oldest are looked for. */
const SLACK = 0.1;

/** Keeps the log of a busy endpoint from filling the API server: of very many deliveries the oldest go before their time. */
export class LogLimit {
  readonly #cache: LogLimitOptions['cache'];
  readonly #most: NonNullable<LogLimitOptions['most']>;
  /** Values of the index by the keys of those that are to go. */
  readonly #surplus = new Map<string, string>();
  /** How many of a value are to go and may still be there. */
  readonly #going = new Map<string, number>();

  constructor({ cache, most = MOST_KEPT }: LogLimitOptions) {
    this.#cache = cache;
    this.#most = most;
  }

  /**
   * A delivery has ended, or is to be sent again, which saves it; answers those that are to be deleted for it now.
   */
  note(delivery: WebhookDelivery): ObjectKey[] {
    const [value] = keptAt(delivery);
    if (this.#surplus.get(keyOf(delivery.metadata)) !== value) this.forget(delivery.metadata);
    if (value === undefined) return [];
    const most = delivery.status?.phase === 'Failed' ? this.#most.Failed : this.#most.Delivered;
    const staying = this.#cache.countByIndex(KEPT, value) - (this.#going.get(value) ?? 0);
    if (staying <= most * (1 + SLACK)) return [];
    const all = this.#cache.byIndex(KEPT, value).toSorted(byName);
    const oldest = all
      .slice(0, all.length - most)
      .filter(({ metadata }) => !this.#surplus.has(keyOf(metadata)));
    for (const { metadata } of oldest) this.#surplus.set(keyOf(metadata), value);
    this.#going.set(value, (this.#going.get(value) ?? 0) + oldest.length);
    return oldest.map(({ metadata: { namespace, name } }) => ({
      ...(namespace !== undefined && { namespace }),
      name,
    }));
  }

  /** Whether it goes before its time. */
  isSurplus({ metadata }: WebhookDelivery): boolean {
    return this.#surplus.has(keyOf(metadata));
  }

  /** One is gone, from the cache as well, or is no surplus any more. */
  forget(delivery: ObjectKey): void {
    const key = keyOf(delivery);
    const value = this.#surplus.get(key);
    if (value === undefined) return;
    this.#surplus.delete(key);
    const left = (this.#going.get(value) ?? 0) - 1;
    if (left > 0) this.#going.set(value, left);
    else this.#going.delete(value);
  }
}

/** Values of the index. */
export function keptAt(delivery: WebhookDelivery): string[] {
  if (!isSettled(delivery)) return [];
  const { metadata, spec, status } = delivery;
  return [`${spec.endpointRef?.uid ?? `callbacks of ${metadata.namespace}`} ${status?.phase}`];
}

function keyOf({ namespace, name }: ObjectKey): string {
  return formatKey(namespace, name);
}

/** Names begin with the time of the event. */
function byName({ metadata: one }: WebhookDelivery, { metadata: other }: WebhookDelivery): number {
  return one.name < other.name ? -1 : 1;
}
