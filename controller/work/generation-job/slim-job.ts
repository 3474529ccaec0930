import { isFinished, type GenerationJob, type GenerationJobStatus } from '@trifold/crds';
import { slimConditions, slimMetadata } from '../slim-parts.ts';

/** Reduces a finished job to what its retention needs: finished jobs stay for minutes and are by far the most. */
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
    ...statusSummary(job),
    conditions: slimConditions(conditions),
  };
  return { ...job, metadata: slimMetadata(job.metadata), spec, status };
}

/** Returns the fields that events about the end of a job need; nothing when nobody is notified. */
function statusSummary({ spec, status = {} }: GenerationJob): GenerationJobStatus {
  const { size, renderTimeMs, deliverTo } = status;
  if (!deliverTo && spec.callbackURL === undefined) return {};
  return {
    ...(deliverTo && { deliverTo }),
    ...(size !== undefined && { size }),
    ...(renderTimeMs !== undefined && { renderTimeMs }),
  };
}
