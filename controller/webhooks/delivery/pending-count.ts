import { isSettled, type WebhookDelivery } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { destinationOf } from './destination.ts';

export interface PendingCountOptions {
  /** Returns the number of pending deliveries to a destination, according to the cache. */
  readonly cached: (destination: string) => number;
  readonly isCached: (key: ObjectKey) => boolean;
  readonly clock: Clock;
}

/** A delivery that was deleted before the cache saw it must not count forever. */
const LONGEST_UNSEEN_MS = 30_000;

interface Unseen {
  readonly destination: string;
  readonly at: number;
}

/** Counts the pending deliveries to a destination, including new ones that the cache does not show yet. */
export class PendingCount {
  readonly #options: PendingCountOptions;
  readonly #unseen = new Map<string, Unseen>();
  readonly #unseenOf = new Map<string, number>();

  constructor(options: PendingCountOptions) {
    this.#options = options;
  }

  of(destination: string): number {
    this.#forgetOld();
    return this.#options.cached(destination) + (this.#unseenOf.get(destination) ?? 0);
  }

  /** Counts a new delivery. */
  made(delivery: WebhookDelivery): void {
    const { metadata } = delivery;
    if (isSettled(delivery) || this.#options.isCached(metadata)) return;
    const key = formatKey(metadata.namespace, metadata.name);
    if (this.#unseen.has(key)) return;
    const destination = destinationOf(delivery);
    this.#unseen.set(key, { destination, at: this.#options.clock.monotonicMs() });
    this.#add(destination, 1);
  }

  /** Records that the cache shows the delivery, or no longer shows it. */
  seen({ namespace, name }: ObjectKey): void {
    this.#forget(formatKey(namespace, name));
  }

  #forget(key: string): void {
    const unseen = this.#unseen.get(key);
    if (!unseen) return;
    this.#unseen.delete(key);
    this.#add(unseen.destination, -1);
  }

  /** The oldest come first. */
  #forgetOld(): void {
    const now = this.#options.clock.monotonicMs();
    for (const [key, { at }] of this.#unseen) {
      if (now - at < LONGEST_UNSEEN_MS) return;
      this.#forget(key);
    }
  }

  #add(destination: string, change: 1 | -1): void {
    const count = (this.#unseenOf.get(destination) ?? 0) + change;
    if (count === 0) this.#unseenOf.delete(destination);
    else this.#unseenOf.set(destination, count);
  }
}
