import { documentKeyOf, type GenerationJob } from '@trifold/crds';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RenderFailure, RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { nextAttempt } from '../attempts.ts';

/** State that this process keeps of an unfinished job. Nothing here is needed after a restart. */
export interface TrackedJob {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly documentKey: string;
  /**
   * Whether it existed when this process started: another process may have dispatched it, and its file may be stored.
   */
  readonly inherited: boolean;
  /** The data in its resource as created; undefined when the spec was edited before this process saw it. */
  readonly madeWith: GenerationJob['spec']['data'];
  /** Counts from 1. */
  attempt: number;
  /** Earlier attempts that ended with their renderer; if there are any, the document is rendered alone. */
  lostAttempts: number;
  /** Time at which this process first dispatched it, in milliseconds. */
  dispatchedAt: number | undefined;
  /** Earliest time at which the next attempt is dispatched, in milliseconds. */
  retryAt: number;
  /** Why the previous attempt failed. */
  lastFailure: RenderFailure | undefined;
  /** Outcome of the current attempt, as reported by the queue. */
  outcome: RenderOutcome | undefined;
}

/** `<uid>-<attempt>`: never reused, so that no queue mistakes a new attempt for an old one. */
export function taskIdOf(job: Pick<TrackedJob, 'uid' | 'attempt'>): string {
  return `${job.uid}-${job.attempt}`;
}

/** The unfinished jobs of this process, by name and by uid. */
export class TrackedJobs {
  readonly #byKey = new Map<string, TrackedJob>();
  readonly #byUid = new Map<string, TrackedJob>();

  get size(): number {
    return this.#byKey.size;
  }

  find({ namespace, name }: ObjectKey): TrackedJob | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /** Returns the state of the job; creates it when there is none. */
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
    };
    this.#byKey.set(formatKey(namespace, name), tracked);
    this.#byUid.set(uid, tracked);
    return tracked;
  }

  forget(tracked: TrackedJob | undefined): void {
    if (!tracked) return;
    const key = formatKey(tracked.namespace, tracked.name);
    if (this.#byKey.get(key) === tracked) this.#byKey.delete(key);
    this.#byUid.delete(tracked.uid);
  }

  /**
   * Records an outcome from the queue and returns the key of the job; undefined when the outcome is no longer needed.
   */
  noteOutcome(taskId: string, outcome: RenderOutcome): ObjectKey | undefined {
    const hyphen = taskId.lastIndexOf('-');
    const tracked = this.#byUid.get(taskId.slice(0, hyphen));
    if (!tracked) return undefined;
    // A stored document counts, whichever attempt stored it; a failure counts only for the current attempt.
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
