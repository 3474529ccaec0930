import { isFinished, type Batch, type BatchItemResult, type JobError } from '@trifold/crds';
import { ownItemsPrefix } from '@trifold/platform/records/documents/batch-facts.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RenderFailure, RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import type { Attempts } from '../attempts.ts';
import type { OwnWrites } from '../own-writes.ts';

/** What this process remembers of an item of an unfinished batch. Times are in milliseconds. */
export interface TrackedItem {
  readonly index: number;
  /** Counts from 1. */
  attempt: number;
  /** Earlier attempts that ended with their renderer; with one or more the item is rendered alone. */
  lostAttempts: number;
  /** Whether the current attempt is in the queue, as far as is known. */
  added: boolean;
  /** Whether a renderer had it in hand when the queue was last asked. */
  active: boolean;
  /** When queue and store are to be asked what became of it; Infinity when there is nothing to ask about. */
  askAt: number;
  /** How long it was left alone before it was asked after last; longer each time that it still waits far back. */
  askedAfterMs: number;
  /** Before this moment the current attempt is not dispatched. */
  retryAt: number;
  /** What the queue or the store told and nobody has looked at yet. */
  outcome: RenderOutcome | undefined;
  /** Its end, once it is decided. */
  result: BatchItemResult | undefined;
}

/** What this process remembers of an unfinished batch. Nothing here is needed after a restart. */
export interface TrackedBatch extends OwnWrites<Batch> {
  readonly namespace: string;
  readonly name: string;
  /** Of the keys of its items; undefined when the name gives none. */
  readonly prefix: string | undefined;
  readonly items: readonly TrackedItem[];
  /** When this process first dispatched an item of it, in milliseconds. */
  dispatchedAt: number | undefined;
  /** When this process last wrote its progress. */
  shownAt: number | undefined;
  /** The moment at which it may write its progress next, drawn from what all batches share. */
  slot: number | undefined;
  /** ISO 8601, when a renderer took the first of its items, as far as is known. */
  startedAt: string | undefined;
  /** Why the batch as a whole cannot be done. */
  refusal: JobError | undefined;
}

/** `<uid>-<index>-<attempt>`: unique for ever, so that no queue takes a new attempt for an old one. */
export function itemTaskId(
  { uid }: Pick<TrackedBatch, 'uid'>,
  item: Pick<TrackedItem, 'index' | 'attempt'>,
): string {
  return `${uid}-${item.index}-${item.attempt}`;
}

/** The unfinished batches in this process' care, by name and by uid. */
export class TrackedBatches {
  readonly #byKey = new Map<string, TrackedBatch>();
  readonly #byUid = new Map<string, TrackedBatch>();

  /** Items whose end is not decided. */
  get openItems(): number {
    return [...this.#byKey.values()].reduce((sum, batch) => sum + openItems(batch).length, 0);
  }

  find({ namespace, name }: ObjectKey): TrackedBatch | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /**
   * The batch's memory, with what its status tells; made when there is none. `lookUp`: its items may have been
   * dispatched already, and their files may be there.
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
      replaced: new Set(),
      latest: undefined,
    };
    this.#byKey.set(formatKey(namespace, name), tracked);
    this.#byUid.set(uid, tracked);
    return tracked;
  }

  forget(tracked: TrackedBatch): void {
    const key = formatKey(tracked.namespace, tracked.name);
    if (this.#byKey.get(key) === tracked) this.#byKey.delete(key);
    this.#byUid.delete(tracked.uid);
  }

  /** Takes note of what the queue tells, and answers whose item that is; undefined when it is nobody's any more. */
  noteOutcome(taskId: string, outcome: RenderOutcome): ObjectKey | undefined {
    const [, uid = '', index, attempt] = /^(.+)-(\d+)-(\d+)$/.exec(taskId) ?? [];
    const tracked = this.#byUid.get(uid);
    const item = tracked?.items[Number(index)];
    if (!tracked || !item || item.result) return undefined;
    // A stored file counts whichever attempt stored it; a failure only if nothing newer was begun.
    if (Number(attempt) !== item.attempt && outcome.status !== 'completed') return undefined;
    tell(item, outcome);
    return { namespace: tracked.namespace, name: tracked.name };
  }
}

export function openItems({ items }: TrackedBatch): TrackedItem[] {
  return items.filter(({ result }) => !result);
}

/** A stored file is the last word, whoever tells of it. */
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

/** A failure that the queue told, of an attempt that may be repeated or not. */
export function failureOf({ outcome }: TrackedItem): RenderFailure | undefined {
  return outcome?.status === 'failed' ? outcome.failure : undefined;
}

function newItem(index: number, lookUp: boolean): TrackedItem {
  const askAt = lookUp ? -Infinity : Infinity;
  const attempt = { attempt: 1, lostAttempts: 0, added: false, active: false };
  return { index, ...attempt, askAt, askedAfterMs: 0, retryAt: 0, outcome: undefined, result: undefined };
}

/** What the status tells is decided, whoever wrote it: this process before it ended, or another that leads. */
function adopt(item: TrackedItem | undefined, entry: BatchItemResult): void {
  if (!item || item.result) return;
  if (isFinished({ status: entry })) item.result = entry;
  const { attempt = 1, lostAttempts = 0 } = entry;
  if (attempt <= item.attempt) return;
  beginAttempt(item, { attempt, lostAttempts }, 0);
  item.askAt = -Infinity;
}
