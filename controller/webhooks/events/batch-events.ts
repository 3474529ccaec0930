import {
  deliveryOf,
  eventIdOf,
  isFinished,
  metadataMember,
  type Batch,
  type BatchEventData,
  type Draft,
  type EndpointRef,
  type WebhookDelivery,
  type WebhookEvent,
} from '@trifold/crds';
import { batchStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Maximum progress events of a batch: one for each tenth of its items. */
const TENTHS = 10;
/** Minimum time between two progress events, in milliseconds. */
const BETWEEN_EVENTS_MS = 2_000;
/** `place` of the final event; progress events count from 1. */
const LAST_PLACE = 1_000;

type BatchStatus = NonNullable<Batch['status']>;

/**
 * Returns the status with the event that it causes: batch.progress when another tenth of the items is done, two seconds
 * after the previous event; batch.completed or batch.failed at the end. Returns the status alone when no endpoint wants
 * the event.
 */
export function withBatchEvent(
  batch: Batch,
  status: BatchStatus,
  subscriptions: Pick<Subscriptions, 'deliverTo'>,
  now: Date,
): BatchStatus {
  const { namespace = 'default' } = batch.metadata;
  const type = typeOf(status);
  if (type === 'batch.progress' && !isProgressDue(batch, status, now)) return status;
  const deliverTo = subscriptions.deliverTo(namespace, type);
  if (!deliverTo) return status;
  if (type !== 'batch.progress') return { ...status, deliverTo };
  const { completed = 0, failed = 0, progress } = status;
  const number = (progress?.number ?? 0) + 1;
  return { ...status, progress: { number, at: now.toISOString(), completed, failed, deliverTo } };
}

/**
 * Returns the deliveries that the status of a batch asks for, always the same for the same status. Of the progress
 * events, it includes only the last one, which supersedes the earlier ones.
 */
export function deliveriesOfBatch(batch: Batch): Draft<WebhookDelivery>[] {
  const { status } = batch;
  if (status && isFinished(batch)) {
    const event = lastEventOf(batch, status);
    return draftsOf({ batch, event, place: LAST_PLACE, to: status.deliverTo ?? [] });
  }
  const { progress } = status ?? {};
  if (!progress) return [];
  const event = progressEventOf(batch, progress);
  return draftsOf({ batch, event, place: progress.number, to: progress.deliverTo });
}

function typeOf(status: BatchStatus): 'batch.progress' | 'batch.completed' | 'batch.failed' {
  if (!isFinished({ status })) return 'batch.progress';
  return status.phase === 'Failed' ? 'batch.failed' : 'batch.completed';
}

interface ToDeliver {
  readonly batch: Batch;
  readonly event: WebhookEvent;
  readonly place: number;
  readonly to: readonly EndpointRef[];
}

function draftsOf({ batch, event, place, to }: ToDeliver): Draft<WebhookDelivery>[] {
  const { namespace = 'default', name, uid } = batch.metadata;
  const subject = { kind: batch.kind, name, uid };
  return to.map((endpointRef) => deliveryOf(namespace, event, { endpointRef }, { subject, place }));
}

function isProgressDue(
  { spec }: Batch,
  { completed = 0, failed = 0, progress }: BatchStatus,
  now: Date,
): boolean {
  const tenthsOf = (done: number) => Math.floor((done * TENTHS) / spec.total);
  const lastTenths = progress ? tenthsOf(progress.completed + progress.failed) : 0;
  const sinceMs = now.getTime() - Date.parse(progress?.at ?? '1970-01-01T00:00:00Z');
  return tenthsOf(completed + failed) > lastTenths && Math.abs(sinceMs) >= BETWEEN_EVENTS_MS;
}

function progressEventOf(batch: Batch, progress: NonNullable<BatchStatus['progress']>): WebhookEvent {
  const type = 'batch.progress';
  const { number } = progress;
  const createdAt = timeOf(progress.at, batch);
  const id = eventIdOf(type, { uid: batch.metadata.uid, at: createdAt, number });
  return { id, type, createdAt, data: dataOf(batch, 'processing', progress) };
}

function lastEventOf(batch: Batch, status: BatchStatus): WebhookEvent {
  const type = typeOf(status);
  const createdAt = timeOf(status.finishedAt, batch);
  const id = eventIdOf(type, { uid: batch.metadata.uid, at: createdAt });
  return {
    id,
    type,
    createdAt,
    data: dataOf(batch, type === 'batch.failed' ? 'failed' : 'completed', status),
  };
}

function dataOf(
  { metadata: { name }, spec }: Batch,
  status: BatchEventData['status'],
  { completed = 0, failed = 0 }: { readonly completed?: number; readonly failed?: number },
): BatchEventData {
  return {
    id: name,
    status,
    template_id: spec.templateRef.name,
    total: spec.total,
    completed,
    failed,
    status_url: batchStatusPath(name),
    ...metadataMember(spec),
  };
}

function timeOf(text: string | undefined, { metadata }: Batch): Date {
  const time = Date.parse(text ?? '');
  return new Date(Number.isNaN(time) ? Date.parse(metadata.creationTimestamp) : Math.max(0, time));
}
