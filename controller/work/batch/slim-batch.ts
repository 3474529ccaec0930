import { isFinished, type Batch, type BatchItemResult } from '@trifold/crds';
import { ID_REUSED } from '../stored-results.ts';
import { slimConditions, slimMetadata } from '../slim-parts.ts';

/**
 * Returns what the cache keeps of a batch. Finished batches stay for minutes, with up to a hundred results each, so the
 * cache keeps only what usage, retention and webhooks need: one completed item with the pages and bytes of all. The
 * record of a batch is made from the full resource on the API server.
 */
export function slimWhenFinished(batch: Batch): Batch {
  if (!isFinished(batch)) return batch;
  const { options: _options, items: _items, ...spec } = batch.spec;
  const { items, conditions, error: _error, progress: _progress, ...kept } = batch.status ?? {};
  const reused = items?.find(({ error }) => error?.code === ID_REUSED);
  const status = {
    ...kept,
    items: [...sumOfCompleted(items), ...(reused ? [reused] : [])],
    conditions: slimConditions(conditions),
  };
  return { ...batch, metadata: slimMetadata(batch.metadata), spec, status };
}

function sumOfCompleted(items: readonly BatchItemResult[] = []): BatchItemResult[] {
  const completed = items.filter(({ phase }) => phase === 'Completed');
  if (completed.length === 0) return [];
  const sum = (member: 'pages' | 'size') => completed.reduce((total, item) => total + (item[member] ?? 0), 0);
  return [{ index: 0, phase: 'Completed', pages: sum('pages'), size: sum('size') }];
}
