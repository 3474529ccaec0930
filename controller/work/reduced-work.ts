import {
  DELETED_ANNOTATION,
  OWN_E_INVOICE_ANNOTATION,
  type Batch,
  type Condition,
  type GenerationJob,
  type ObjectMeta,
} from '@trifold/crds';
import { totalsOfBatch, type CachedBatch } from '@trifold/platform/records/usage/work-usage.ts';
import { picked } from '@trifold/platform/records/picked.ts';
import { ID_REUSED } from './stored-outcome.ts';

const JOB_STATUS = [
  'phase',
  'version',
  'finishedAt',
  'error',
  'warnings',
  'pages',
  'size',
  'renderTimeMs',
  'deliverTo',
  'attachmentsRef',
] as const;

const READ_ANNOTATIONS: readonly string[] = [DELETED_ANNOTATION, OWN_E_INVOICE_ANNOTATION];

/**
 * Reduces a finished job to what usage, retention and webhooks need: finished jobs are kept for several minutes and are
 * by far the most numerous. Only the record of a failed document contains its attempts and timings.
 */
export function reducedJob(job: GenerationJob): GenerationJob {
  const {
    data: _data,
    dataRef: _dataRef,
    template: _template,
    options: _options,
    revision: _revision,
    ...spec
  } = job.spec;
  const { status = {} } = job;
  const progress = status.phase === 'Failed' && picked(status, ['attempt', 'timings']);
  const kept = {
    ...picked(status, JOB_STATUS),
    ...progress,
    conditions: reducedConditions(status.conditions),
  };
  return { ...job, metadata: reducedMetadata(job.metadata), spec, status: kept };
}

/**
 * Returns the cached part of a batch. Finished batches are kept for several minutes, with up to a hundred results each,
 * so the cache keeps only what usage, retention and webhooks need. A batch's record is built from the full resource on
 * the API server.
 */
export function reducedBatch(batch: Batch): CachedBatch {
  const { template: _template, options: _options, items: _items, ...spec } = batch.spec;
  const { items, conditions, error: _error, progress: _progress, ...kept } = batch.status ?? {};
  const reused = items?.find(({ error }) => error?.code === ID_REUSED);
  const status = { ...kept, ...(reused && { items: [reused] }), conditions: reducedConditions(conditions) };
  return { ...batch, metadata: reducedMetadata(batch.metadata), spec, status, totals: totalsOfBatch(batch) };
}

/** Returns the metadata that retention and records read: no labels, and no annotation with the whole object. */
function reducedMetadata({
  labels: _labels,
  annotations = {},
  ownerReferences: _owners,
  ...kept
}: ObjectMeta): ObjectMeta {
  const read = Object.entries(annotations).filter(([name]) => READ_ANNOTATIONS.includes(name));
  return { ...kept, ...(read.length > 0 && { annotations: Object.fromEntries(read) }) };
}

/** Returns the conditions that show when work ended, without their messages. */
function reducedConditions(conditions: readonly Condition[] = []): Condition[] {
  const last = conditions.filter(({ type }) => type === 'Complete' || type === 'Failed');
  return last.map((condition) => ({ ...condition, message: '' }));
}
