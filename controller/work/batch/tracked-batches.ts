import { isFinished, type Batch, type BatchItemResult, type JobError } from '@trifold/crds';
import { ownItemsPrefix } from '@trifold/platform/records/documents/batch-facts.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RenderFailure, RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import type { Attempts } from '../attempts.ts';

/** State that this process keeps of an item of an unfinished batch. Times are in milliseconds. */
export interface TrackedItem {
  readonly index: number;
  /** Counts from 1. */
  attempt: number;
  /** Earlier attempts that ended with their renderer; if there are any, the item is rendered alone. */
  lostAttempts: number;
  /** Whether the current attempt is in the queue, as far as this process knows. */
  added: boolean;
  /** Whether a renderer was working on it when the queue was last asked. */
  active: boolean;
  /** Time of the next lookup in queue and store; Infinity when there is nothing to look up. */
  askAt: number;
  /** Wait before the last lookup; it grows while the item waits far back in the queue. */
  askedAfterMs: number;
  /** Earliest time at which the current attempt is dispatched. */
  retryAt: number;
  /** Outcome from the queue or the store that is not processed yet. */
  outcome: RenderOutcome | undefined;
  /** Final result, once it is decided. */
  result: BatchItemResult | undefined;
}

/** State that this process keeps of an unfinished batch. Nothing here is needed after a restart. */
export interface TrackedBatch {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Prefix of the keys of its items; undefined when the name gives none. */
  readonly prefix: string | undefined;
  readonly items: readonly TrackedItem[];
  /** Time at which this process first dispatched an item of it, in milliseconds. */
  dispatchedAt: number | undefined;
  /** Time at which this process last wrote its progress. */
  shownAt: number | undefined;
  /** Earliest time of its next progress write, drawn from the rate that all batches share. */
  slot: number | undefined;
  /** Time at which a renderer took the first of its items, as far as is known; ISO 8601. */
  startedAt: string | undefined;
  /** Error that fails the batch as a whole. */
  refusal: JobError | undefined;
}

/** `<uid>-<index>-<attempt>`: never reused, so that no queue mistakes a new attempt for an old one. */
export function itemTaskId(
  { uid }: Pick<TrackedBatch, 'uid'>,
  item: Pick<TrackedItem, 'index' | 'attempt'>,
): string {
  return `${uid}-${item.index}-${item.attempt}`;
}

/** The unfinished batches of this process, by name and by uid. */
export class TrackedBatches {
  readonly #byKey = new Map<string, TrackedBatch>();
  readonly #byUid = new Map<string, TrackedBatch>();

  /** Number of items that are not decided. */
  get openItems(): number {
    return [...this.#byKey.values()].reduce((sum, batch) => sum + openItems(batch).length, 0);
  }

  find({ namespace, name }: ObjectKey): TrackedBatch | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /**
   * Returns the state of the batch, updated from its status; creates it when there is none. `lookUp`: its items may
   * already be dispatched, and their files may be stored.
   */
  track(batch: Batch, lookUp: boolean): TrackedBatch {
    const tracked = this.#byUid.get(batch.metadata.uid) ?? this.#begin(batch, lookUp);
    for (const entry of batch.status?.items ?? []) adopt(tracked.items[entry.index], entry);
    return tracked;
  }

  #begin(batch: Batch, lookUp: boolean): TrackedBatch {
    const { namespace = 'default', name, uid } = batch.metadata;
    const tracked: TrackedBatch = {
      namespace,
      name,
      uid,
      prefix: ownItemsPrefix(batch),
      items: Array.from({ length: batch.spec.total }, (_, index) => newItem(index, lookUp)),
      dispatchedAt: undefined,
      shownAt: undefined,
      slot: undefined,
      startedAt: batch.status?.startedAt,
      refusal: undefined,
    };
    this.#byKey.set(formatKey(namespace, name), tracked);
    this.#byUid.set(uid, tracked);
    return tracked;
  }

  forget(tracked: TrackedBatch | undefined): void {
    if (!tracked) return;
    const key = formatKey(tracked.namespace, tracked.name);
    if (this.#byKey.get(key) === tracked) this.#byKey.delete(key);
    this.#byUid.delete(tracked.uid);
  }

  /**
   * Records an outcome from the queue and returns the key of the batch; undefined when the outcome is no longer needed.
   */
  noteOutcome(taskId: string, outcome: RenderOutcome): ObjectKey | undefined {
    const [, uid = '', index, attempt] = /^(.+)-(\d+)-(\d+)$/.exec(taskId) ?? [];
    const tracked = this.#byUid.get(uid);
    const item = tracked?.items[Number(index)];
    if (!tracked || !item || item.result) return undefined;
    // A stored file counts, whichever attempt stored it; a failure counts only for the current attempt.
    if (Number(attempt) !== item.attempt && outcome.status !== 'completed') return undefined;
    tell(item, outcome);
    return { namespace: tracked.namespace, name: tracked.name };
  }
}

export function openItems({ items }: TrackedBatch): TrackedItem[] {
  return items.filter(({ result }) => !result);
}

/** Records an outcome. A stored file is final, whatever reports it. */
export function tell(item: TrackedItem, outcome: RenderOutcome | undefined): void {
  if (outcome && item.outcome?.status !== 'completed') item.outcome = outcome;
}

/** Begins another attempt of an item, not before `retryAt`. */
export function beginAttempt(item: TrackedItem, attempts: Attempts, retryAt: number): void {
  item.attempt = attempts.attempt;
  item.lostAttempts = attempts.lostAttempts;
  item.added = false;
  item.active = false;
  item.askAt = Infinity;
  item.askedAfterMs = 0;
  item.retryAt = retryAt;
  item.outcome = undefined;
}

/** Returns the failure of the current attempt, retryable or not. */
export function failureOf({ outcome }: TrackedItem): RenderFailure | undefined {
  return outcome?.status === 'failed' ? outcome.failure : undefined;
}

function newItem(index: number, lookUp: boolean): TrackedItem {
  const askAt = lookUp ? -Infinity : Infinity;
  const attempt = { attempt: 1, lostAttempts: 0, added: false, active: false };
  return { index, ...attempt, askAt, askedAfterMs: 0, retryAt: 0, outcome: undefined, result: undefined };
}

/** Takes over what the status records, whichever process wrote it: this one before a restart, or another leader. */
function adopt(item: TrackedItem | undefined, entry: BatchItemResult): void {
  if (!item || item.result) return;
  if (isFinished({ status: entry })) item.result = entry;
  const { attempt = 1, lostAttempts = 0 } = entry;
  if (attempt <= item.attempt) return;
  beginAttempt(item, { attempt, lostAttempts }, 0);
  item.askAt = -Infinity;
}
