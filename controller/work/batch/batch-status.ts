import {
  isFinished,
  limitedWarnings,
  MAX_WARNINGS,
  type Batch,
  type BatchItemResult,
  type BatchStatus,
  type DocumentWarning,
  type GenerationPhase,
} from '@trifold/crds';
import { observed } from '@trifold/platform/kubernetes/controller/observed.ts';
import { isActive, outcomeOf, type TrackedDocument } from '../tracked-work.ts';
import { templateNoun } from '../inline-template.ts';
import { documentStatus, observedEnd, reasonOf, storableError } from '../status-parts.ts';
import type { TrackedBatch } from './tracked-batches.ts';
import { documentFailure, type DocumentFailure } from '@trifold/platform/errors/document-error.ts';

/** Maximum length of an item's message, in characters. */
const MAX_ITEM_MESSAGE_LENGTH = 1024;
/** Guaranteed length of every message, however many items fail: enough to say what is wrong and where. */
const ITEM_MESSAGE = 200;
/**
 * Maximum total length of all items' messages: the size of a resource is limited, and one list returns many finished
 * batches.
 */
const ITEM_MESSAGES = 100 * ITEM_MESSAGE;
/** Maximum total length of all items' warnings, for the same reason. One warning per item always fits. */
const ITEM_WARNINGS = 60_000;
/** Maximum length of a warning's part, line and column. */
const PLACE = 64;

/** Returns the status of a batch whose inline template is pinned, before anything is dispatched. */
export function pinnedStatus(batch: Batch, revision: string, now: Date): BatchStatus {
  const message = `renders ${templateNoun(batch.spec)}`;
  const condition = { type: 'Accepted', status: 'True', reason: 'RevisionPinned', message } as const;
  return { ...batch.status, ...observed(batch, [condition], now), phase: 'Pending', revision };
}

/** Returns the status of an unfinished batch, with its progress. */
export function progressStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
  const results = resultsOf(batch, tracked);
  const { completed, failed, items, startedAt } = results;
  const phase = phaseOf(batch, items);
  const reason = phase === 'Processing' ? 'Rendering' : 'Queued';
  const message = `${completed + failed} of ${batch.spec.total} items are finished`;
  const condition = { type: 'Dispatched', status: 'True', reason, message } as const;
  const isFirst = phase === 'Processing' && startedAt === undefined;
  return {
    ...batch.status,
    ...observed(batch, [condition], now),
    phase,
    ...results,
    ...(isFirst && { startedAt: now.toISOString() }),
  };
}

/** Returns the final status of a batch whose items are all decided. */
export function finishedStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
  const results = resultsOf(batch, tracked);
  const { completed, failed, items } = results;
  const error = completed > 0 ? undefined : storableError(tracked.rejection ?? allFailed(items));
  const reason = failed > 0 ? 'SomeFailed' : 'Rendered';
  const message = `${completed} of ${batch.spec.total} items are completed`;
  const condition = error
    ? { type: 'Failed', reason: reasonOf(error.code), message: error.message }
    : { type: 'Complete', reason, message };
  return {
    ...batch.status,
    ...observedEnd(batch, { ...condition, status: 'True' }, now),
    phase: error ? 'Failed' : 'Completed',
    ...results,
    finishedAt: now.toISOString(),
    ...(error && { error }),
  };
}

function resultsOf(batch: Batch, tracked: TrackedBatch) {
  const items = withRoom(tracked.documents.flatMap((item) => entryOf(item) ?? []));
  const inPhase = (wanted: GenerationPhase) => items.filter(({ phase }) => phase === wanted).length;
  const startedAt = startedAtOf(batch, tracked);
  const counts = { completed: inPhase('Completed'), failed: inPhase('Failed') };
  return { ...counts, items, ...(startedAt !== undefined && { startedAt }) };
}

/** Returns the items that are finished in `after` but not in `before`. */
export function newlyEnded(
  before: BatchStatus | undefined,
  after: BatchStatus | undefined,
): BatchItemResult[] {
  const ended = (status: BatchStatus | undefined) =>
    (status?.items ?? []).filter((item) => isFinished({ status: item }));
  const known = new Set(ended(before).map(({ index }) => index));
  return ended(after).filter(({ index }) => !known.has(index));
}

/** Returns the status entry of an item, or undefined if it is waiting for its first attempt. */
function entryOf(item: TrackedDocument): BatchItemResult | undefined {
  const { index, attempt, state } = item;
  if (state.status === 'recorded') return state.entry;
  if (state.status !== 'decided' && !isActive(item) && attempt === 1) return undefined;
  const { phase = 'Pending', ...end } = documentStatus(item, MAX_ITEM_MESSAGE_LENGTH);
  return { index, phase, ...end };
}

/**
 * Reduces messages and warnings so that all of them fit: the more items fail, the shorter each message; the more
 * warnings, the fewer are kept per item.
 */
function withRoom(items: readonly BatchItemResult[]): BatchItemResult[] {
  return withRoomForWarnings(withRoomForMessages(items));
}

function withRoomForMessages(items: readonly BatchItemResult[]): BatchItemResult[] {
  const share = Math.floor(ITEM_MESSAGES / items.filter(({ error }) => error).length);
  const longest = Math.min(MAX_ITEM_MESSAGE_LENGTH, share);
  return items.map((item) => (item.error ? { ...item, error: storableError(item.error, longest) } : item));
}

function withRoomForWarnings(items: readonly BatchItemResult[]): BatchItemResult[] {
  const lists = items.flatMap(({ warnings }) => (warnings ? [warnings] : []));
  let most = MAX_WARNINGS;
  while (most > 1 && lengthOf(lists.flatMap((warnings) => limitedWarnings(warnings, most))) > ITEM_WARNINGS)
    most -= 1;
  return items.map((item) =>
    item.warnings ? { ...item, warnings: limitedWarnings(item.warnings, most) } : item,
  );
}

function lengthOf(warnings: readonly DocumentWarning[]): number {
  return warnings.reduce(
    (sum, { code, message, name }) => sum + code.length + message.length + name.length + PLACE,
    0,
  );
}

/** Returns the earliest known start. A start time that users have seen never becomes later. */
function startedAtOf({ status }: Batch, { documents }: TrackedBatch): string | undefined {
  const ended = documents.flatMap((document) => {
    const outcome = outcomeOf(document);
    return outcome?.status === 'completed' ? outcome.result.startedAt : [];
  });
  const known = [status?.startedAt, ...ended].filter((time) => time !== undefined);
  return known.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
}

function phaseOf({ status }: Batch, items: readonly BatchItemResult[]): GenerationPhase {
  const begun = status?.phase === 'Processing' || items.some(({ phase }) => phase !== 'Pending');
  return begun ? 'Processing' : 'Pending';
}

function allFailed(items: readonly BatchItemResult[]): DocumentFailure {
  const [first] = items;
  const example = first?.error ? `; item ${first.index}: ${first.error.code}: ${first.error.message}` : '';
  const message =
    items.length === 1 ? `the only item failed${example}` : `all ${items.length} items failed${example}`;
  return documentFailure('all_items_failed', message);
}
