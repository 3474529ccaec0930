import { isFinished, type Batch } from '@trifold/crds';
import { ID_REUSED } from '../stored-results.ts';

/**
 * What the cache keeps of a batch. Finished ones are kept for minutes, with up to a hundred results each: of them only
 * what their retention and those who are told of their end ask for. Their record is made of what the API server has.
 */
export function slimWhenFinished(batch: Batch): Batch {
  if (!isFinished(batch)) return batch;
  const { labels: _labels, ...metadata } = batch.metadata;
  const { options: _options, ...spec } = batch.spec;
  const { items, conditions = [], error: _error, progress: _progress, ...kept } = batch.status ?? {};
  const reused = items?.find(({ error }) => error?.code === ID_REUSED);
  const status = {
    ...kept,
    ...(reused && { items: [reused] }),
    conditions: conditions.map((condition) => ({ ...condition, message: '' })),
  };
  return { ...batch, metadata, spec, status };
}
