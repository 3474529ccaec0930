import { documentKeyOf, type GenerationJob } from '@trifold/crds';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RenderFailure, RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { nextAttempt } from '../attempts.ts';
import type { OwnWrites } from '../own-writes.ts';

/** What this process remembers of an unfinished job. Nothing here is needed after a restart. */
export interface TrackedJob extends OwnWrites<GenerationJob> {
  readonly namespace: string;
  readonly name: string;
  readonly documentKey: string;
  /** It was there when this process began: another may have dispatched it, and its file may be stored. */
  readonly inherited: boolean;
  /** The data in its resource as it was made; undefined when the spec was edited before this process saw it. */
  readonly madeWith: GenerationJob['spec']['data'];
  /** Counts from 1. */
  attempt: number;
  /** Earlier attempts that ended with their renderer; with one or more the document is rendered alone. */
  lostAttempts: number;
  /** When this process first dispatched it, in milliseconds. */
  dispatchedAt: number | undefined;
  /** Before this moment, in milliseconds, the next attempt is not dispatched. */
  retryAt: number;
  /** Why the attempt before failed. */
  lastFailure: RenderFailure | undefined;
  /** What the queue told of the current attempt. */
  outcome: RenderOutcome | undefined;
}

/** `<uid>-<attempt>`: unique for ever, so that no queue takes a new attempt for an old one. */
export function taskIdOf(job: Pick<TrackedJob, 'uid' | 'attempt'>): string {
  return `${job.uid}-${job.attempt}`;
}

/** The unfinished jobs in this process' care, by name and by uid. */
export class TrackedJobs {
  readonly #byKey = new Map<string, TrackedJob>();
  readonly #byUid = new Map<string, TrackedJob>();

  get size(): number {
    return this.#byKey.size;
  }

  find({ namespace, name }: ObjectKey): TrackedJob | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /** The job's memory; made when there is none. */
  track(job: GenerationJob, inherited = false): TrackedJob {
    const known = this.#byUid.get(job.metadata.uid);
    if (known) return known;
    const { namespace = 'default', name, uid } = job.metadata;
    const tracked: TrackedJob = {
      namespace,
      name,
      uid,
      documentKey: documentKeyOf(job),
      inherited,
      madeWith: job.metadata.generation === 1 ? job.spec.data : undefined,
      attempt: job.status?.attempt ?? 1,
      lostAttempts: job.status?.lostAttempts ?? 0,
      dispatchedAt: undefined,
      retryAt: 0,
      lastFailure: undefined,
      outcome: undefined,
      replaced: new Set(),
      latest: undefined,
    };
    this.#byKey.set(formatKey(namespace, name), tracked);
    this.#byUid.set(uid, tracked);
    return tracked;
  }

  forget(tracked: TrackedJob): void {
    const key = formatKey(tracked.namespace, tracked.name);
    if (this.#byKey.get(key) === tracked) this.#byKey.delete(key);
    this.#byUid.delete(tracked.uid);
  }

  /** Takes note of what the queue tells, and answers whose job that is; undefined when it is nobody's any more. */
  noteOutcome(taskId: string, outcome: RenderOutcome): ObjectKey | undefined {
    const hyphen = taskId.lastIndexOf('-');
    const tracked = this.#byUid.get(taskId.slice(0, hyphen));
    if (!tracked) return undefined;
    // A stored document counts whichever attempt stored it; a failure only if nothing newer was begun.
    const current = Number(taskId.slice(hyphen + 1)) === tracked.attempt;
    if (!current && outcome.status !== 'completed') return undefined;
    if (tracked.outcome?.status !== 'completed') tracked.outcome = outcome;
    return { namespace: tracked.namespace, name: tracked.name };
  }
}

/** Begins the next attempt, not before `retryAt`. */
export function beginRetry(tracked: TrackedJob, failure: RenderFailure, retryAt: number): void {
  Object.assign(tracked, nextAttempt(failure, tracked));
  tracked.retryAt = retryAt;
  tracked.lastFailure = failure;
  tracked.outcome = undefined;
}
