import { isFinished, type GenerationJob, type GenerationJobStatus } from '@trifold/crds';
import { slimConditions, slimMetadata } from '../slim-parts.ts';

/**
 * Reduces a finished job to what usage, retention and webhooks need: finished jobs stay for minutes and are by far the
 * most.
 */
export function slimWhenFinished(job: GenerationJob): GenerationJob {
  if (!isFinished(job)) return job;
  const { data: _data, dataRef: _dataRef, options: _options, revision: _revision, ...spec } = job.spec;
  const { phase, version, finishedAt, error, warnings, conditions } = job.status ?? {};
  const status = {
    ...(phase && { phase }),
    ...(version !== undefined && { version }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(error && { error }),
    ...(warnings && { warnings }),
    ...outcomeOf(job),
    conditions: slimConditions(conditions),
  };
  return { ...job, metadata: slimMetadata(job.metadata), spec, status };
}

/** Returns what usage and events about the end of a job need. */
function outcomeOf({ status = {} }: GenerationJob): GenerationJobStatus {
  const { pages, size, renderTimeMs, deliverTo } = status;
  return {
    ...(pages !== undefined && { pages }),
    ...(size !== undefined && { size }),
    ...(renderTimeMs !== undefined && { renderTimeMs }),
    ...(deliverTo && { deliverTo }),
  };
}
