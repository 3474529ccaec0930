import type { WebhookDelivery } from '@trifold/crds';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { OwnWrites } from '../../work/own-writes.ts';
import type { AttemptOutcome } from './delivery-status.ts';

/** What this process remembers of a delivery. Nothing of it is needed after a restart. */
export interface DeliveryMemory extends OwnWrites<WebhookDelivery> {
  readonly namespace: string;
  readonly name: string;
  /** As it was created here, until the cache knows it. */
  created: WebhookDelivery | undefined;
  /** Whether an attempt is under way. */
  sending: boolean;
  /** How an attempt went that the status does not tell of yet. */
  outcome: AttemptOutcome | undefined;
  /** No attempt before this moment, in milliseconds, whatever the schedule says: nothing could be sent. */
  notBefore: number;
}

/** The deliveries in this process' care, by name. */
export class DeliveryMemories {
  readonly #byKey = new Map<string, DeliveryMemory>();
  readonly #unrecorded = new Set<DeliveryMemory>();
  #whenRecorded: (() => void)[] = [];

  find({ namespace, name }: ObjectKey): DeliveryMemory | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /** The delivery's memory; made when there is none. */
  of({ metadata: { namespace, name, uid } }: WebhookDelivery): DeliveryMemory {
    const key = formatKey(namespace, name);
    const known = this.#byKey.get(key);
    if (known?.uid === uid) return known;
    const memory: DeliveryMemory = {
      uid,
      namespace: namespace ?? '',
      name,
      replaced: new Set(),
      latest: undefined,
      created: undefined,
      sending: false,
      outcome: undefined,
      notBefore: -Infinity,
    };
    this.#byKey.set(key, memory);
    return memory;
  }

  /** An attempt has ended, and its outcome has to be written. */
  ended(memory: DeliveryMemory, outcome: AttemptOutcome): void {
    // It was deleted meanwhile: there is nowhere to write it.
    if (this.find(memory) !== memory) return;
    memory.outcome = outcome;
    this.#unrecorded.add(memory);
  }

  /** The outcome is written. */
  recorded(memory: DeliveryMemory): void {
    memory.outcome = undefined;
    this.#settle(memory);
  }

  forget(key: ObjectKey): void {
    const memory = this.find(key);
    if (!memory) return;
    this.#byKey.delete(formatKey(key.namespace, key.name));
    this.#settle(memory);
  }

  /** Resolves when every outcome is written. */
  async allRecorded(): Promise<void> {
    if (this.#unrecorded.size === 0) return;
    await new Promise<void>((resolve) => this.#whenRecorded.push(resolve));
  }

  #settle(memory: DeliveryMemory): void {
    this.#unrecorded.delete(memory);
    if (this.#unrecorded.size > 0) return;
    for (const resolve of this.#whenRecorded.splice(0)) resolve();
  }
}
