import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { formatKey, parseKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';
import { FairQueue } from '@trifold/platform/scheduling/fair-queue.ts';
import { openDocuments, type TrackedWork } from './tracked-work.ts';

type Work = Pick<TrackedWork, 'priority' | 'namespace' | 'name' | 'documents'>;

type Requests = Pick<RequestSource, 'enqueue'>;

/**
 * Maximum number of one account's documents in the render queue that clients are waiting for
 * (platform/bounds/queue-bounds.ts).
 */
const MAX_AWAITED = BOUNDS.queuedDocuments.limit.value;

/**
 * Limits the number of documents in the render queue. A queued task has a cost until it ends: it takes memory there,
 * its data is stored, and the controller looks up the task every few seconds. Other work waits here at no cost.
 * Accounts take turns; for documents that clients are waiting for, each account has its own limit, so that none waits
 * for another.
 */
export class DispatchWindow {
  readonly #requests: Requests;
  readonly #shared: Window;
  /** Work that clients are waiting for, by account. */
  readonly #awaited = new Map<string, Window>();

  /**
   * `most`: maximum number of documents that no client is waiting for; a batch enters as a whole as soon as there is
   * room for one of its items. `requests` receives the key of work that has entered after waiting.
   */
  constructor(most: number, requests: Requests) {
    this.#requests = requests;
    this.#shared = new Window(most, requests);
  }

  /** Whether the documents of the work may be dispatched. If not, the work waits for its turn. Idempotent. */
  enter(work: Work): boolean {
    if (work.priority !== 'interactive') return this.#shared.enter(work);
    const window = this.#awaited.get(work.namespace) ?? new Window(MAX_AWAITED, this.#requests);
    this.#awaited.set(work.namespace, window);
    return window.enter(work);
  }

  /** Frees room when the work has finished or been deleted. Does nothing for unknown work. */
  leave(work: Pick<Work, 'namespace' | 'name'>): void {
    this.#shared.leave(work);
    const window = this.#awaited.get(work.namespace);
    window?.leave(work);
    if (window?.isEmpty) this.#awaited.delete(work.namespace);
  }
}

class Window {
  readonly #most: number;
  readonly #requests: Requests;
  readonly #entered = new Map<string, Work>();
  readonly #waiting = new Map<string, Work>();
  readonly #line = new FairQueue();

  constructor(most: number, requests: Requests) {
    this.#most = most;
    this.#requests = requests;
  }

  get isEmpty(): boolean {
    return this.#entered.size + this.#waiting.size === 0;
  }

  enter(work: Work): boolean {
    const key = formatKey(work.namespace, work.name);
    if (!this.#entered.has(key) && !this.#waiting.has(key)) {
      this.#waiting.set(key, work);
      this.#line.push(key, work.namespace);
      // While other work waits, there is no room. Only a change to work that has entered makes room.
      if (this.#waiting.size > 1) return false;
    }
    this.#fill(key);
    return this.#entered.has(key);
  }

  leave({ namespace, name }: Pick<Work, 'namespace' | 'name'>): void {
    const key = formatKey(namespace, name);
    this.#waiting.delete(key);
    this.#line.remove(key);
    this.#entered.delete(key);
    this.#fill();
  }

  /** Lets work enter while there is room; wakes all of it except the caller's. */
  #fill(caller?: string): void {
    if (this.#waiting.size === 0) return;
    let room = this.#most - this.#openDocuments();
    for (let key = this.#next(room); key !== undefined; key = this.#next(room)) {
      const work = this.#waiting.get(key);
      this.#waiting.delete(key);
      if (!work) continue;
      this.#entered.set(key, work);
      room -= work.documents.length;
      if (key !== caller) this.#requests.enqueue(parseKey(key));
    }
  }

  #next(room: number): string | undefined {
    return room > 0 ? this.#line.shift() : undefined;
  }

  /** Counted only while work is waiting: there are about `most` documents, plus the items of one batch. */
  #openDocuments(): number {
    return [...this.#entered.values()].reduce((sum, work) => sum + openDocuments(work).length, 0);
  }
}
