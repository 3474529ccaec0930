import { documentKeyOf, GATEWAY_LABEL, type GenerationJob } from '@trifold/crds';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import {
  newDocument,
  newWork,
  TrackedIndex,
  type TrackedDocument,
  type TrackedWork,
} from '../tracked-work.ts';

/** This process's state for an unfinished job, with its single document. */
export interface TrackedJob extends TrackedWork {
  readonly document: TrackedDocument;
  /** The data in its resource at creation; undefined if the spec was edited before this process saw it. */
  readonly createdData: GenerationJob['spec']['data'];
}

/** Creates an index of this process's unfinished jobs. */
export function createTrackedJobs(): TrackedIndex<GenerationJob, TrackedJob> {
  return new TrackedIndex({
    begin(job, inherited) {
      const { metadata, spec } = job;
      const lookUp = inherited || mayBeBegun(job);
      const document = newDocument({ index: 0, id: metadata.uid, key: documentKeyOf(job) }, lookUp);
      const createdData = metadata.generation === 1 ? spec.data : undefined;
      return { ...newWork(job, jobPriority(job), [document]), document, createdData };
    },
    recordsOf({ status = {} }) {
      const { phase = 'Pending', attempt, lostAttempts = 0 } = status;
      return attempt === undefined ? [] : [{ index: 0, phase, attempt, lostAttempts }];
    },
  });
}

/** Returns the priority of an unfinished job. A gateway labels the jobs that it waits for. */
export function jobPriority({ metadata }: GenerationJob): Priority {
  return metadata.labels?.[GATEWAY_LABEL] === undefined ? 'asynchronous' : 'interactive';
}

/**
 * Whether another process may have dispatched a job that appeared while this process was watching. A gateway's job
 * without an attempt has neither a task nor a file, so nothing is looked up, and the common case needs no round trip.
 * If that is wrong (because of a second controller that has not noticed yet that it lost its lease), nothing breaks:
 * the task's ID is the same, a file is stored only if there is none, and the loser of the race reports the winner's
 * result. The gateway generates a new ID for each job; a manually created job may reuse a name, so it is always looked
 * up.
 */
function mayBeBegun({ spec, status }: GenerationJob): boolean {
  const byGateway = spec.keyId !== undefined && spec.revision !== undefined;
  return !byGateway || status?.attempt !== undefined;
}
