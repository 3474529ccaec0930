import {
  isFinished,
  MOST_WARNINGS,
  storableWarnings,
  type Batch,
  type BatchItemResult,
  type BatchStatus,
  type DocumentWarning,
  type GenerationPhase,
} from '@trifold/crds';
import type { RenderResult } from '@trifold/platform/render-queue/port.ts';
import { lostAttemptsOf } from '../attempts.ts';
import { dispatchedAttempt, type TrackedDocument } from '../tracked-work.ts';
import { measured, observed, reasonOf, storableError } from '../status-parts.ts';
import type { TrackedBatch } from './tracked-batches.ts';
import { documentFailure, type DocumentFailure } from '@trifold/platform/service/document-error.ts';

/** Maximum length of an item's message, in characters. */
const LONGEST_ITEM_MESSAGE = 1024;
/** Length that every message may have, however many items fail: enough to say what is wrong, and where. */
const ITEM_MESSAGE = 200;
/**
 * Maximum length of the messages of all items: the size of a resource is limited, and one list returns many finished
 * batches.
 */
const ITEM_MESSAGES = 100 * ITEM_MESSAGE;
/** Maximum length of the warnings of all items, for the same reason. One warning of each item always fits. */
const ITEM_WARNINGS = 60_000;

/** Returns the status of an unfinished batch, with its progress. */
export function progressStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
  const items = withRoom(tracked.documents.flatMap((item) => entryOf(item) ?? []));
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

/** Returns the final status of a batch whose items are all decided. */
export function finishedStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
  const items = withRoom(tracked.documents.flatMap((item) => entryOf(item) ?? []));
  const { completed, failed } = count(items);
  const startedAt = startedAtOf(batch, tracked);
  const common = {
    completed,
    failed,
    items,
    finishedAt: now.toISOString(),
    ...(startedAt !== undefined && { startedAt }),
  };
  const summary = `${completed} of ${batch.spec.total} items are complete`;
  if (completed > 0) {
    const reason = failed > 0 ? 'SomeFailed' : 'Rendered';
    const condition = { type: 'Complete', status: 'True', reason, message: summary } as const;
    return { ...batch.status, ...observed(batch, condition, now), phase: 'Completed', ...common };
  }
  const error = storableError(tracked.rejection ?? allFailed(items));
  const { code, message } = error;
  const condition = { type: 'Failed', status: 'True', reason: reasonOf(code), message } as const;
  return { ...batch.status, ...observed(batch, condition, now), phase: 'Failed', ...common, error };
}

/** Returns the items that ended in `after` and not yet in `before`. */
export function newlyEnded(
  before: BatchStatus | undefined,
  after: BatchStatus | undefined,
): BatchItemResult[] {
  const ended = (status: BatchStatus | undefined) =>
    (status?.items ?? []).filter((item) => isFinished({ status: item }));
  const known = new Set(ended(before).map(({ index }) => index));
  return ended(after).filter(({ index }) => !known.has(index));
}

/** Returns the status entry of an item; undefined while it waits for its first attempt. */
function entryOf(item: TrackedDocument): BatchItemResult | undefined {
  const { index, attempt, active, decided, outcome } = item;
  if (!decided) {
    if (!active && attempt === 1) return undefined;
    return { index, phase: active ? 'Processing' : 'Pending', attempt, ...lostAttemptsOf(item) };
  }
  if (outcome?.status === 'completed') return completedItem(item, outcome.result);
  return outcome ? failedItem(item, outcome.failure) : item.recorded;
}

function completedItem(item: TrackedDocument, result: RenderResult): BatchItemResult {
  const { index, attempt } = item;
  const { size, pages, renderTimeMs } = result;
  const made = { size, pages, renderTimeMs: Math.round(measured(renderTimeMs)) };
  const warnings = storableWarnings(result.warnings ?? []);
  const noticed = warnings.length > 0 && { warnings };
  return { index, phase: 'Completed', attempt, ...lostAttemptsOf(item), ...made, ...noticed };
}

function failedItem(item: TrackedDocument, error: DocumentFailure): BatchItemResult {
  const attempt = dispatchedAttempt(item);
  return {
    index: item.index,
    phase: 'Failed',
    ...(attempt !== undefined && { attempt }),
    ...lostAttemptsOf(item),
    error: storableError(error, LONGEST_ITEM_MESSAGE),
  };
}

/**
 * Reduces messages and warnings so that they fit together: the more items failed, the shorter each message; the more
 * warnings there are, the fewer each item has.
 */
function withRoom(items: readonly BatchItemResult[]): BatchItemResult[] {
  return withRoomForWarnings(withRoomForMessages(items));
}

function withRoomForMessages(items: readonly BatchItemResult[]): BatchItemResult[] {
  const share = Math.floor(ITEM_MESSAGES / items.filter(({ error }) => error).length);
  const longest = Math.min(LONGEST_ITEM_MESSAGE, share);
  return items.map((item) => (item.error ? { ...item, error: storableError(item.error, longest) } : item));
}

function withRoomForWarnings(items: readonly BatchItemResult[]): BatchItemResult[] {
  const lists = items.flatMap(({ warnings }) => (warnings ? [warnings] : []));
  let most = MOST_WARNINGS;
  while (most > 1 && lengthOf(lists.flatMap((warnings) => warnings.slice(0, most))) > ITEM_WARNINGS)
    most -= 1;
  return items.map((item) => (item.warnings ? { ...item, warnings: item.warnings.slice(0, most) } : item));
}

function lengthOf(warnings: readonly DocumentWarning[]): number {
  return warnings.reduce(
    (sum, { code, message, detail }) => sum + code.length + message.length + detail.length,
    0,
  );
}

/** Returns the earliest known start. A start time that users have seen never becomes later. */
function startedAtOf({ status }: Batch, { documents }: TrackedBatch): string | undefined {
  const ended = documents.flatMap(({ outcome }) =>
    outcome?.status === 'completed' ? outcome.result.startedAt : [],
  );
  const known = [status?.startedAt, ...ended].filter((time) => time !== undefined);
  return known.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
}

function phaseOf({ status }: Batch, items: readonly BatchItemResult[]): GenerationPhase {
  const begun = status?.phase === 'Processing' || items.some(({ phase }) => phase !== 'Pending');
  return begun ? 'Processing' : 'Pending';
}

function count(items: readonly BatchItemResult[]): { completed: number; failed: number } {
  const inPhase = (wanted: GenerationPhase) => items.filter(({ phase }) => phase === wanted).length;
  return { completed: inPhase('Completed'), failed: inPhase('Failed') };
}

function allFailed(items: readonly BatchItemResult[]): DocumentFailure {
  const [first] = items;
  const example = first?.error ? `; item ${first.index}: ${first.error.code}: ${first.error.message}` : '';
  const message =
    items.length === 1 ? `the only item failed${example}` : `all ${items.length} items failed${example}`;
  return documentFailure('all_items_failed', message);
}
