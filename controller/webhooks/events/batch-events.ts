import {
  deliveryOf,
  eventIdOf,
  isFinished,
  metadataMember,
  type Batch,
  type BatchEventData,
  type BatchStatus,
  type Draft,
  type WebhookDelivery,
} from '@trifold/crds';
import { acceptedBatch } from '@trifold/platform/records/documents/accepted-work.ts';
import { batchStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import { eventTime } from './job-events.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Maximum number of progress events per batch: one for each tenth of its items. */
const TENTHS = 10;
/** Minimum time between two progress events, in milliseconds. */
const BETWEEN_EVENTS_MS = 2_000;
/** `sequence` of the final event; progress events count from 1. */
const LAST_SEQUENCE = 1_000;

const STATUS = {
  'batch.progress': 'processing',
  'batch.completed': 'completed',
  'batch.failed': 'failed',
} as const;

/**
 * Returns the status with the event that it triggers: batch.progress when another tenth of the items is done, at least
 * two seconds after the previous event; batch.completed or batch.failed at the end. Returns only the status if no
 * endpoint is subscribed to the event.
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
 * Returns the deliveries that a batch's status requires, always the same for the same status. Includes only the last
 * progress event, which supersedes the earlier ones.
 */
export function deliveriesOfBatch(batch: Batch): Draft<WebhookDelivery>[] {
  const { kind, metadata, spec, status = {} } = batch;
  const { namespace = 'default', name, uid } = metadata;
  const end = { ...status, at: status.finishedAt, number: 0 };
  const source = isFinished({ status }) ? end : status.progress;
  if (!source) return [];
  const { number, completed = 0, failed = 0, deliverTo = [] } = source;
  const type = typeOf(status);
  const createdAt = eventTime(source.at, metadata);
  const data: BatchEventData = {
    id: name,
    status: STATUS[type],
    template_id: acceptedBatch(batch).template ?? null,
    total: spec.total,
    completed,
    failed,
    status_url: batchStatusPath(name),
    ...metadataMember(spec),
  };
  const event = { id: eventIdOf(type, { uid, at: createdAt, number }), type, createdAt, data };
  const details = { subject: { kind, name, uid }, sequence: number || LAST_SEQUENCE };
  return deliverTo.map((endpointRef) => deliveryOf(namespace, event, { endpointRef }, details));
}

function typeOf(status: BatchStatus): keyof typeof STATUS {
  if (!isFinished({ status })) return 'batch.progress';
  return status.phase === 'Failed' ? 'batch.failed' : 'batch.completed';
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
