import { isFinished, type BatchItemResult, type KubernetesObject } from '@trifold/crds';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import type { Attempts } from './attempts.ts';
import type { DocumentFailure } from '@trifold/platform/service/document-error.ts';

/** State that this process keeps of one document: of a job, or of an item of a batch. Times are in milliseconds. */
export interface TrackedDocument {
  /** Index among the documents of its job or batch, from 0. */
  readonly index: number;
  /** Start of its task ids: `<uid>` for a job, `<uid>-<index>` for an item. */
  readonly id: string;
  /** Key of its file; undefined when the name of its batch gives none. */
  readonly key: string | undefined;
  /** Counts from 1. */
  attempt: number;
  /** Earlier attempts that ended with their renderer; if there are any, the document is rendered alone. */
  lostAttempts: number;
  /** The last attempt that the status records; the first one needs no record. */
  recordedAttempt: number;
  /** Whether the current attempt is in the queue, as far as this process knows. */
  added: boolean;
  /** Whether a renderer was working on it when the queue was last asked. */
  active: boolean;
  /** Time of the next lookup in queue and store; Infinity when there is nothing to look up. */
  askAt: number;
  /** Wait before the last lookup; it grows while the document waits far back in the queue. */
  askedAfterMs: number;
  /** Earliest time at which the current attempt is dispatched. */
  retryAt: number;
  /** Why the previous attempt failed. */
  lastFailure: DocumentFailure | undefined;
  /** Outcome of the current attempt, from the queue or the store. */
  outcome: RenderOutcome | undefined;
  /** Whether `outcome` or `recorded` is final. */
  decided: boolean;
  /** Final result that the status already had when this process first saw it. */
  recorded: BatchItemResult | undefined;
}

/** State that this process keeps of an unfinished job or batch. Nothing here is needed after a restart. */
export interface TrackedWork {
  /** Whether somebody waits for it. */
  readonly priority: Priority;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly documents: readonly TrackedDocument[];
  /** Time at which this process first dispatched a document of it, as `Clock.monotonicMs`. */
  dispatchedAt: number | undefined;
  /** Time at which this process last wrote its progress, as `Clock.monotonicMs`. */
  shownAt: number | undefined;
  /** Earliest time of its next progress write, drawn from the rate that all objects of its kind share. */
  slot: number | undefined;
  /** Error that fails the job or batch as a whole. */
  rejection: DocumentFailure | undefined;
}

/** What differs between the kinds. */
export interface TrackedKind<R extends KubernetesObject, T extends TrackedWork> {
  /** Returns new state. `inherited`: another process may have dispatched its documents. */
  begin(resource: R, inherited: boolean): T;
  /** Returns what the status records of its documents. */
  recordsOf(resource: R): readonly BatchItemResult[];
}

/** The unfinished jobs or batches of this process. */
export class TrackedIndex<R extends KubernetesObject, T extends TrackedWork> {
  readonly #kind: TrackedKind<R, T>;
  readonly #byKey = new Map<string, T>();
  readonly #byDocument = new Map<string, { tracked: T; document: TrackedDocument }>();

  constructor(kind: TrackedKind<R, T>) {
    this.#kind = kind;
  }

  /** Number of documents that are not decided. */
  get openDocuments(): number {
    return [...this.#byKey.values()].reduce((sum, tracked) => sum + openDocuments(tracked).length, 0);
  }

  find({ namespace, name }: ObjectKey): T | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /** Returns the state of the object, updated from its status; creates it when there is none. */
  track(resource: R, inherited = false): T {
    const { namespace = 'default', name, uid } = resource.metadata;
    const known = this.find({ namespace, name });
    const tracked = known?.uid === uid ? known : this.#begin(resource, inherited);
    this.update(tracked, resource);
    return tracked;
  }

  /** Takes over what the status records, whichever process wrote it: this one, or another leader. */
  update({ documents }: T, resource: R): void {
    for (const entry of this.#kind.recordsOf(resource)) adopt(documents[entry.index], entry);
  }

  forget(tracked: T): void {
    const key = formatKey(tracked.namespace, tracked.name);
    if (this.#byKey.get(key) === tracked) this.#byKey.delete(key);
    for (const { id } of tracked.documents) this.#byDocument.delete(id);
  }

  /**
   * Records an outcome from the queue and returns the key of the job or batch; undefined when the outcome is no longer
   * needed.
   */
  noteOutcome(taskId: string, outcome: RenderOutcome): ObjectKey | undefined {
    const hyphen = taskId.lastIndexOf('-');
    const { tracked, document } = this.#byDocument.get(taskId.slice(0, hyphen)) ?? {};
    if (!tracked || !document || document.decided) return undefined;
    // A stored file counts, whichever attempt stored it; a failure counts only for the current attempt.
    const current = Number(taskId.slice(hyphen + 1)) === document.attempt;
    if (!current && outcome.status !== 'completed') return undefined;
    if (current) document.added = true;
    report(document, outcome);
    return { namespace: tracked.namespace, name: tracked.name };
  }

  #begin(resource: R, inherited: boolean): T {
    const tracked = this.#kind.begin(resource, inherited);
    this.#byKey.set(formatKey(tracked.namespace, tracked.name), tracked);
    for (const document of tracked.documents) this.#byDocument.set(document.id, { tracked, document });
    return tracked;
  }
}

/** Returns the state of an object that this process has not tracked. */
export function newWork(
  { metadata }: KubernetesObject,
  priority: Priority,
  documents: readonly TrackedDocument[],
): TrackedWork {
  const { namespace = 'default', name, uid } = metadata;
  const unknown = { dispatchedAt: undefined, shownAt: undefined, slot: undefined, rejection: undefined };
  return { priority, namespace, name, uid, documents, ...unknown };
}

/** Returns the state of a document before its first attempt. `lookUp`: it may be dispatched, and its file stored. */
export function newDocument(
  names: Pick<TrackedDocument, 'index' | 'id' | 'key'>,
  lookUp: boolean,
): TrackedDocument {
  return {
    ...names,
    attempt: 1,
    lostAttempts: 0,
    recordedAttempt: 1,
    added: false,
    active: false,
    askAt: lookUp ? -Infinity : Infinity,
    askedAfterMs: 0,
    retryAt: 0,
    lastFailure: undefined,
    outcome: undefined,
    decided: false,
    recorded: undefined,
  };
}

export function openDocuments({ documents }: Pick<TrackedWork, 'documents'>): TrackedDocument[] {
  return documents.filter(({ decided }) => !decided);
}

/** `<document id>-<attempt>`: never reused, so that no queue mistakes a new attempt for an old one. */
export function taskIdOf({ id, attempt }: Pick<TrackedDocument, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

/** Records an outcome. A stored file is final, whatever reports it. */
export function report(document: TrackedDocument, outcome: RenderOutcome | undefined): void {
  if (outcome && document.outcome?.status !== 'completed') document.outcome = outcome;
}

/** Begins another attempt of a document, not before `retryAt`. */
export function beginAttempt(document: TrackedDocument, attempts: Attempts, retryAt: number): void {
  const { attempt, lostAttempts } = attempts;
  const idle = { added: false, active: false, askAt: Infinity, askedAfterMs: 0, outcome: undefined };
  Object.assign(document, { attempt, lostAttempts, retryAt, ...idle });
}

/** Returns the last dispatched attempt; undefined when there is none. */
export function dispatchedAttempt({ attempt, added }: TrackedDocument): number | undefined {
  const dispatched = added ? attempt : attempt - 1;
  return dispatched > 0 ? dispatched : undefined;
}

function adopt(document: TrackedDocument | undefined, entry: BatchItemResult): void {
  if (!document || document.decided) return;
  if (isFinished({ status: entry })) {
    document.decided = true;
    document.recorded = entry;
    return;
  }
  const { attempt = 1, lostAttempts = 0 } = entry;
  document.recordedAttempt = Math.max(document.recordedAttempt, attempt);
  if (attempt <= document.attempt) return;
  beginAttempt(document, { attempt, lostAttempts }, 0);
  document.askAt = -Infinity;
}
