import { isFinished, type Batch } from '@trifold/crds';
import { totalsOfBatch, type CachedBatch } from '@trifold/platform/records/usage/work-usage.ts';
import { ID_REUSED } from '../stored-results.ts';
import { slimConditions, slimMetadata } from '../slim-parts.ts';

/**
 * Returns what the cache keeps of a batch. Finished batches stay for minutes, with up to a hundred results each, so the
 * cache keeps only what usage, retention and webhooks need. The record of a batch is made from the full resource on the
 * API server.
 */
export function slimWhenFinished(batch: Batch): CachedBatch {
  if (!isFinished(batch)) return batch;
  const { options: _options, items: _items, ...spec } = batch.spec;
  const { items, conditions, error: _error, progress: _progress, ...kept } = batch.status ?? {};
  const reused = items?.find(({ error }) => error?.code === ID_REUSED);
  const status = { ...kept, ...(reused && { items: [reused] }), conditions: slimConditions(conditions) };
  return { ...batch, metadata: slimMetadata(batch.metadata), spec, status, totals: totalsOfBatch(batch) };
}
