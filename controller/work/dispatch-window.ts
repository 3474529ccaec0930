import { formatKey, parseKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';
import { FairQueue } from '@trifold/platform/scheduling/fair-queue.ts';
import { openDocuments, type TrackedWork } from './tracked-work.ts';

type Work = Pick<TrackedWork, 'priority' | 'namespace' | 'name' | 'documents'>;

/**
 * Limits the number of documents in the render queue that no client is waiting for. A queued task has a cost until it
 * ends: its data is stored, and the controller looks up the task every few seconds. Other work waits here at no cost;
 * accounts take turns.
 */
export class DispatchWindow {
  readonly #most: number;
  readonly #requests: Pick<RequestSource, 'enqueue'>;
  readonly #entered = new Map<string, Work>();
  readonly #waiting = new Map<string, Work>();
  readonly #line = new FairQueue();

  /**
   * `most`: maximum number of documents; a batch enters as a whole as soon as there is room for one of its items.
   * `requests` receives the key of work that has entered after waiting.
   */
  constructor(most: number, requests: Pick<RequestSource, 'enqueue'>) {
    this.#most = most;
    this.#requests = requests;
  }

  /** Whether the documents of the work may be dispatched. If not, the work waits for its turn. Idempotent. */
  enter(work: Work): boolean {
    if (work.priority === 'interactive') return true;
    const key = formatKey(work.namespace, work.name);
    if (!this.#entered.has(key) && !this.#waiting.has(key)) {
      this.#waiting.set(key, work);
      this.#line.push(key, work.namespace);
    }
    this.#fill(key);
    return this.#entered.has(key);
  }

  /** Frees room when the work has finished or been deleted. Does nothing for unknown work. */
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
