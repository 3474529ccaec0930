import type { WebhookDelivery } from '@trifold/crds';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { AttemptOutcome } from './delivery-status.ts';

/** State that this process keeps of a delivery. Nothing of it is needed after a restart. */
export interface DeliveryMemory {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Whether an attempt is in flight. */
  sending: boolean;
  /** Outcome of an attempt that is not in the status yet. */
  outcome: AttemptOutcome | undefined;
  /** Earliest time of the next attempt, in milliseconds, whatever the schedule says: nothing could be sent. */
  notBefore: number;
}

/** The deliveries of this process, by name. */
export class DeliveryMemories {
  readonly #byKey = new Map<string, DeliveryMemory>();
  readonly #unrecorded = new Map<DeliveryMemory, PromiseWithResolvers<void>>();

  find({ namespace, name }: ObjectKey): DeliveryMemory | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /** Returns the memory of the delivery; creates it when there is none. */
  of({ metadata }: WebhookDelivery): DeliveryMemory {
    const { namespace = '', name, uid } = metadata;
    const known = this.find(metadata);
    if (known?.uid === uid) return known;
    const memory = { uid, namespace, name, sending: false, outcome: undefined, notBefore: -Infinity };
    this.#byKey.set(formatKey(namespace, name), memory);
    return memory;
  }

  /** Records the outcome of an attempt, which has to be written. */
  ended(memory: DeliveryMemory, outcome: AttemptOutcome): void {
    // It was deleted meanwhile, so there is nowhere to write the outcome.
    if (this.find(memory) !== memory) return;
    memory.outcome = outcome;
    this.#unrecorded.set(memory, Promise.withResolvers());
  }

  /** Records that the outcome is written, or that there is nowhere to write it. */
  recorded(memory: DeliveryMemory): void {
    memory.outcome = undefined;
    this.#unrecorded.get(memory)?.resolve();
    this.#unrecorded.delete(memory);
  }

  forget(key: ObjectKey): void {
    const memory = this.find(key);
    if (!memory) return;
    this.#byKey.delete(formatKey(key.namespace, key.name));
    this.recorded(memory);
  }

  /** Resolves when every outcome is written. */
  async allRecorded(): Promise<void> {
    await Promise.all([...this.#unrecorded.values()].map(({ promise }) => promise));
  }
}
