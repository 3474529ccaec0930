import { isDeepStrictEqual } from 'node:util';
import {
  isFinished,
  type Batch,
  type BatchItemResult,
  type BatchStatus,
  type GenerationPhase,
  type JobError,
} from '@trifold/crds';
import type { RenderResult } from '@trifold/platform/render-queue/port.ts';
import { lostAttemptsOf } from '../attempts.ts';
import { measured, observed, reasonOf, storableError } from '../status-parts.ts';
import type { WorkErrorCode } from '../work-error.ts';
import type { TrackedBatch, TrackedItem } from './tracked-batches.ts';

/** Maximum length of an item's message, in characters. */
const LONGEST_ITEM_MESSAGE = 1024;
/** Length that every message may have, however many items fail: enough to say what is wrong, and where. */
const ITEM_MESSAGE = 200;
/**
 * Maximum length of the messages of all items: the size of a resource is limited, and one list returns many finished
 * batches.
 */
const ITEM_MESSAGES = 100 * ITEM_MESSAGE;

/** Returns the final status entry of an item whose file is stored. */
export function completedItem(item: TrackedItem, result: RenderResult): BatchItemResult {
  const { index, attempt } = item;
  const { size, pages, renderTimeMs } = result;
  return {
    index,
    phase: 'Completed',
    attempt,
    ...lostAttemptsOf(item),
    size,
    pages,
    renderTimeMs: Math.round(measured(renderTimeMs)),
  };
}

/** Returns the final status entry of a failed item, with the last dispatched attempt if there is one. */
export function failedItem(item: TrackedItem, error: JobError): BatchItemResult {
  const { index, attempt, added } = item;
  const dispatched = added ? attempt : attempt - 1;
  return {
    index,
    phase: 'Failed',
    ...(dispatched > 0 && { attempt: dispatched }),
    ...lostAttemptsOf(item),
    error: storableError(error, LONGEST_ITEM_MESSAGE),
  };
}

/** Returns the status of an unfinished batch, with its progress. */
export function progressStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
  const items = withRoom(tracked.items.flatMap((item) => entryOf(item) ?? []));
  const { completed, failed } = count(items);
  const phase = phaseOf(batch, items);
  const reason = phase === 'Processing' ? 'Rendering' : 'Queued';
  const message = `${completed + failed} of ${batch.spec.total} items are done`;
  const condition = { type: 'Dispatched', status: 'True', reason, message } as const;
  const startedAt = startedAtOf(batch, tracked) ?? (phase === 'Processing' ? now.toISOString() : undefined);
  return {
    ...batch.status,
    ...observed(batch, condition, now),
    phase,
    completed,
    failed,
    items,
    ...(startedAt !== undefined && { startedAt }),
  };
}

/** Whether the batch already shows this progress. */
export function isShown({ status }: Batch, next: BatchStatus): boolean {
  const { phase, completed, failed, items } = next;
  const { phase: p, completed: c, failed: f, items: i } = status ?? {};
  return isDeepStrictEqual([p, c, f, i], [phase, completed, failed, items]);
}

/** Returns the final status of a batch whose items are all decided. */
export function finishedStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
  const items = withRoom(tracked.items.flatMap(({ result }) => result ?? []));
  const { completed, failed } = count(items);
  const startedAt = startedAtOf(batch, tracked);
  const common = {
    completed,
    failed,
    items,
    finishedAt: now.toISOString(),
    ...(startedAt !== undefined && { startedAt }),
  };
  const told = `${completed} of ${batch.spec.total} items are complete`;
  if (completed > 0) {
    const reason = failed > 0 ? 'SomeFailed' : 'Rendered';
    const condition = { type: 'Complete', status: 'True', reason, message: told } as const;
    return { ...batch.status, ...observed(batch, condition, now), phase: 'Completed', ...common };
  }
  const error = storableError(tracked.refusal ?? allFailed(items));
  const { code, message } = error;
  const condition = { type: 'Failed', status: 'True', reason: reasonOf(code), message } as const;
  return { ...batch.status, ...observed(batch, condition, now), phase: 'Failed', ...common, error };
}

/** Returns the items that ended in `after` and not yet in `before`. */
export function newlyEnded(before: BatchStatus | undefined, after: BatchStatus): BatchItemResult[] {
  const ended = (status: BatchStatus | undefined) =>
    (status?.items ?? []).filter((item) => isFinished({ status: item }));
  const known = new Set(ended(before).map(({ index }) => index));
  return ended(after).filter(({ index }) => !known.has(index));
}

function entryOf(item: TrackedItem): BatchItemResult | undefined {
  const { index, attempt, active, result } = item;
  if (result) return result;
  // An item that waits for its first attempt has no entry.
  if (!active && attempt === 1) return undefined;
  return { index, phase: active ? 'Processing' : 'Pending', attempt, ...lostAttemptsOf(item) };
}

/** Shortens the messages so that they fit together: the more items failed, the shorter each message. */
function withRoom(items: readonly BatchItemResult[]): BatchItemResult[] {
  const share = Math.floor(ITEM_MESSAGES / items.filter(({ error }) => error).length);
  const longest = Math.min(LONGEST_ITEM_MESSAGE, share);
  return items.map((item) => (item.error ? { ...item, error: storableError(item.error, longest) } : item));
}

/** Returns the earliest known start. A start time that users have seen never becomes later. */
function startedAtOf({ status }: Batch, { startedAt }: TrackedBatch): string | undefined {
  const shown = status?.startedAt;
  if (shown === undefined || startedAt === undefined) return shown ?? startedAt;
  return Date.parse(startedAt) < Date.parse(shown) ? startedAt : shown;
}

function phaseOf({ status }: Batch, items: readonly BatchItemResult[]): GenerationPhase {
  const begun = status?.phase === 'Processing' || items.some(({ phase }) => phase !== 'Pending');
  return begun ? 'Processing' : 'Pending';
}

function count(items: readonly BatchItemResult[]): { completed: number; failed: number } {
  const inPhase = (wanted: GenerationPhase) => items.filter(({ phase }) => phase === wanted).length;
  return { completed: inPhase('Completed'), failed: inPhase('Failed') };
}

function allFailed(items: readonly BatchItemResult[]): JobError {
  const code: WorkErrorCode = 'all_items_failed';
  const [first] = items;
  const example = first?.error ? `; item ${first.index}: ${first.error.code}: ${first.error.message}` : '';
  const message =
    items.length === 1 ? `the only item failed${example}` : `all ${items.length} items failed${example}`;
  return { code, message };
}
