import { isFinished, type BatchItemResult, type KubernetesObject } from '@trifold/crds';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import type { Attempts } from './attempts.ts';
import type { DocumentFailure } from '@trifold/platform/errors/document-error.ts';

/** A document's processing state. Times are in milliseconds. */
export type DocumentState =
  /** Another process may have dispatched it or stored its file, so it is looked up first. */
  | { readonly status: 'unknown' }
  /** The current attempt is not dispatched before `notBefore`. */
  | { readonly status: 'waiting'; readonly notBefore: number }
  | QueuedDocument
  /**
   * The current attempt has an outcome, from the queue or the store. `dispatched`: by this process, or seen in the
   * queue.
   */
  | { readonly status: 'ended'; readonly outcome: RenderOutcome; readonly dispatched: boolean }
  /** The document gets no more attempts. */
  | { readonly status: 'decided'; readonly outcome: RenderOutcome; readonly dispatched: boolean }
  /** The status already had the final result when this process first saw it. */
  | { readonly status: 'recorded'; readonly entry: BatchItemResult };

/** The current attempt is in the queue, as far as this process knows. */
export interface QueuedDocument {
  readonly status: 'queued';
  /** Whether a renderer was working on it when the queue was last queried. */
  readonly active: boolean;
  /** Time of the next lookup in the queue and the store. */
  readonly askAt: number;
  /** Wait before that lookup; grows while the document is far back in the queue. */
  readonly askedAfterMs: number;
}

/** This process's state for one document, of a job or a batch item. */
export interface TrackedDocument {
  /** Index among the documents of its job or batch, starting at 0. */
  readonly index: number;
  /** Prefix of its task IDs: `<uid>` for a job, `<uid>-<index>` for an item. */
  readonly id: string;
  /** Key of the document's file; undefined if the batch's name yields no key. */
  readonly key: string | undefined;
  /** Counts from 1. */
  attempt: number;
  /** Number of earlier attempts lost together with their renderer; if there are any, the document is rendered alone. */
  lostAttempts: number;
  /** The last attempt recorded in the status; the first needs no record. */
  recordedAttempt: number;
  /** Reason the previous attempt failed. */
  lastFailure: DocumentFailure | undefined;
  state: DocumentState;
}

/** This process's state for an unfinished job or batch. None of it is needed after a restart. */
export interface TrackedWork {
  /** Whether a client is waiting for it. */
  readonly priority: Priority;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly documents: readonly TrackedDocument[];
  /** Time at which this process first dispatched one of its documents, as `Clock.monotonicMs`. */
  dispatchedAt: number | undefined;
  /** Time at which this process last wrote its progress, as `Clock.monotonicMs`. */
  shownAt: number | undefined;
  /** Earliest time of its next progress write, taken from the rate shared by all objects of its kind. */
  slot: number | undefined;
  /** Version of the object whose status is current for all documents; undefined if one has changed since. */
  shownVersion: string | undefined;
  /** Error that fails the job or batch as a whole. */
  rejection: DocumentFailure | undefined;
}

/** The differences between the kinds. */
export interface TrackedKind<R extends KubernetesObject, T extends TrackedWork> {
  /** Returns the initial state. `inherited`: another process may have dispatched its documents. */
  begin(resource: R, inherited: boolean): T;
  /** Returns the documents' states from the status. */
  recordsOf(resource: R): readonly BatchItemResult[];
}

/** This process's unfinished jobs or batches. */
export class TrackedIndex<R extends KubernetesObject, T extends TrackedWork> {
  readonly #kind: TrackedKind<R, T>;
  readonly #byKey = new Map<string, T>();
  readonly #byDocument = new Map<string, { tracked: T; document: TrackedDocument }>();

  constructor(kind: TrackedKind<R, T>) {
    this.#kind = kind;
  }

  /** Number of undecided documents. */
  get openDocuments(): number {
    return [...this.#byKey.values()].reduce((sum, tracked) => sum + openDocuments(tracked).length, 0);
  }

  find({ namespace, name }: ObjectKey): T | undefined {
    return this.#byKey.get(formatKey(namespace, name));
  }

  /** Returns the state of the object, updated from its status; creates it if there is none. */
  track(resource: R, inherited = false): T {
    const { namespace = 'default', name, uid } = resource.metadata;
    const known = this.find({ namespace, name });
    const tracked = known?.uid === uid ? known : this.#begin(resource, inherited);
    this.update(tracked, resource);
    return tracked;
  }

  /** Applies what the status records, whichever process wrote it: this one or another leader. */
  update({ documents }: T, resource: R): void {
    for (const entry of this.#kind.recordsOf(resource)) adopt(documents[entry.index], entry);
  }

  forget(tracked: T): void {
    const key = formatKey(tracked.namespace, tracked.name);
    if (this.#byKey.get(key) === tracked) this.#byKey.delete(key);
    for (const { id } of tracked.documents) this.#byDocument.delete(id);
  }

  /**
   * Records an outcome from the queue and returns the key of the job or batch; undefined if the outcome is no longer
   * needed.
   */
  noteOutcome(taskId: string, outcome: RenderOutcome): ObjectKey | undefined {
    const hyphen = taskId.lastIndexOf('-');
    const { tracked, document } = this.#byDocument.get(taskId.slice(0, hyphen)) ?? {};
    if (!tracked || !document || isDecided(document)) return undefined;
    // A stored file counts, whichever attempt stored it; a failure counts only for the current attempt.
    const current = Number(taskId.slice(hyphen + 1)) === document.attempt;
    if (!current && outcome.status !== 'completed') return undefined;
    report(document, outcome, current);
    return { namespace: tracked.namespace, name: tracked.name };
  }

  #begin(resource: R, inherited: boolean): T {
    const tracked = this.#kind.begin(resource, inherited);
    this.#byKey.set(formatKey(tracked.namespace, tracked.name), tracked);
    for (const document of tracked.documents) this.#byDocument.set(document.id, { tracked, document });
    return tracked;
  }
}

/** Returns the state of an object that this process has not tracked before. */
export function newWork(
  { metadata }: KubernetesObject,
  priority: Priority,
  documents: readonly TrackedDocument[],
): TrackedWork {
  const { namespace = 'default', name, uid } = metadata;
  const nothing = { dispatchedAt: undefined, shownAt: undefined, slot: undefined };
  return {
    priority,
    namespace,
    name,
    uid,
    documents,
    ...nothing,
    shownVersion: undefined,
    rejection: undefined,
  };
}

/**
 * Returns the state of a document before its first attempt. `lookUp`: it may already be dispatched, and its file
 * stored.
 */
export function newDocument(
  names: Pick<TrackedDocument, 'index' | 'id' | 'key'>,
  lookUp: boolean,
): TrackedDocument {
  return {
    ...names,
    attempt: 1,
    lostAttempts: 0,
    recordedAttempt: 1,
    lastFailure: undefined,
    state: lookUp ? { status: 'unknown' } : { status: 'waiting', notBefore: 0 },
  };
}

export function openDocuments({ documents }: Pick<TrackedWork, 'documents'>): TrackedDocument[] {
  return documents.filter((document) => !isDecided(document));
}

/** Whether the document gets no more attempts. */
export function isDecided({ state }: TrackedDocument): boolean {
  return state.status === 'decided' || state.status === 'recorded';
}

/** Whether a renderer was working on the document when the queue was last queried, or has just finished it. */
export function isActive({ state }: TrackedDocument): boolean {
  return state.status === 'ended' || (state.status === 'queued' && state.active);
}

/** Returns the outcome of the current attempt, final or not, or undefined if there is none yet. */
export function outcomeOf({ state }: TrackedDocument): RenderOutcome | undefined {
  return 'outcome' in state ? state.outcome : undefined;
}

/** `<document id>-<attempt>`: never reused, so that no queue mistakes a new attempt for an old one. */
export function taskIdOf({ id, attempt }: Pick<TrackedDocument, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

/** Records an outcome for an undecided document. A stored file is final, no matter which process reports it. */
export function report(document: TrackedDocument, outcome: RenderOutcome, dispatched: boolean): void {
  if (outcomeOf(document)?.status === 'completed') return;
  document.state = { status: 'ended', outcome, dispatched: dispatched || isDispatched(document) };
}

/** Ends an undecided document. An outcome with a stored file is kept. */
export function decide(document: TrackedDocument, outcome: RenderOutcome): void {
  const known = outcomeOf(document);
  const final = known?.status === 'completed' ? known : outcome;
  document.state = { status: 'decided', outcome: final, dispatched: isDispatched(document) };
}

/** Begins another attempt at a document, not before `notBefore`. */
export function beginAttempt(document: TrackedDocument, attempts: Attempts, notBefore: number): void {
  const { attempt, lostAttempts } = attempts;
  Object.assign(document, { attempt, lostAttempts, state: { status: 'waiting', notBefore } });
}

/** Whether the current attempt was dispatched, as far as this process knows. */
export function isDispatched({ state }: TrackedDocument): boolean {
  return state.status === 'queued' || ('dispatched' in state && state.dispatched);
}

/** Returns the last dispatched attempt; undefined if there is none. */
export function dispatchedAttempt(document: TrackedDocument): number | undefined {
  const last = isDispatched(document) ? document.attempt : document.attempt - 1;
  return last > 0 ? last : undefined;
}

function adopt(document: TrackedDocument | undefined, entry: BatchItemResult): void {
  if (!document || isDecided(document)) return;
  if (isFinished({ status: entry })) {
    document.state = { status: 'recorded', entry };
    return;
  }
  const { attempt = 1, lostAttempts = 0 } = entry;
  document.recordedAttempt = Math.max(document.recordedAttempt, attempt);
  if (attempt <= document.attempt) return;
  beginAttempt(document, { attempt, lostAttempts }, 0);
  document.state = { status: 'unknown' };
}
