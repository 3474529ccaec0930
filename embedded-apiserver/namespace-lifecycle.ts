import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { NAMESPACE } from './builtin-kinds/namespace.ts';
import { deleteObject } from './deletion.ts';
import { newObject } from './objects/object-changes.ts';
import { forbiddenRequest, notFound } from './objects/status-error.ts';
import { storageKey, type ServedKind } from './served-kind.ts';
import { Backlog } from './store/backlog.ts';
import type { Write } from './store/change.ts';
import { rangeOf, type Registry } from './store/registry.ts';
import { subjectOf, type CollectionTarget } from './writes.ts';

/** Maximum number of objects deleted in one turn of the event loop. */
const BATCH = 50;

/**
 * Acts as the API server's namespace admission and the namespace controller: rejects creates in a namespace that is
 * missing or being deleted, and removes a deleted namespace once its content is gone.
 */
export class NamespaceLifecycle {
  readonly #registry: Registry;
  readonly #kinds: readonly ServedKind[];
  readonly #clock: Clock;
  readonly #terminating = new Map<string, boolean>();
  readonly #drains: Backlog<string>;
  readonly #unsubscribe: () => void;

  constructor(registry: Registry, kinds: readonly ServedKind[], options: { clock: Clock; logger: Logger }) {
    this.#registry = registry;
    this.#kinds = kinds.filter((kind) => kind.namespaced);
    this.#clock = options.clock;
    this.#drains = new Backlog(registry.turns, options.logger, (namespace) => this.#drain(namespace));
    this.#unsubscribe = registry.subscribe('', (change) => this.#observe(change));
  }

  /** Creates the namespace `default` and resumes deletions that a restart interrupted. */
  start(): void {
    this.#ensure('default');
    const range = rangeOf(NAMESPACE.keyPrefix);
    for (const row of this.#registry.table.list(range, Number.MAX_SAFE_INTEGER)) {
      const entry = this.#registry.read(row.key);
      if (!entry) continue;
      const { name, deletionTimestamp } = entry.object.metadata;
      this.#terminating.set(name, deletionTimestamp !== undefined);
      if (deletionTimestamp !== undefined) this.#drains.add(name);
    }
  }

  stop(): void {
    this.#unsubscribe();
    this.#drains.stop();
  }

  /** Throws StatusError for a create in a namespace that is missing (404) or being deleted (403). */
  admit(target: CollectionTarget, name: string): void {
    if (!target.kind.namespaced || target.namespace === undefined) return;
    const terminating = this.#terminating.get(target.namespace);
    if (terminating === undefined) throw notFound(subjectOf({ kind: NAMESPACE, name: target.namespace }));
    if (terminating)
      throw forbiddenRequest(
        subjectOf({ kind: target.kind, name }),
        `unable to create new content in namespace ${target.namespace} because it is being terminated`,
        [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${target.namespace} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      );
  }

  #ensure(name: string): void {
    const key = storageKey(NAMESPACE, undefined, name);
    if (this.#registry.table.has(key)) return;
    const sent = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    this.#registry.write(key, newObject(NAMESPACE, sent, { namespace: undefined, now: this.#clock.now() }));
  }

  #observe(change: Write): void {
    const { name, namespace, deletionTimestamp } = change.object.metadata;
    if (change.key.startsWith(NAMESPACE.keyPrefix)) {
      if (change.deleted) this.#terminating.delete(name);
      else this.#terminating.set(name, deletionTimestamp !== undefined);
      if (!change.deleted && deletionTimestamp !== undefined) this.#drains.add(name);
    } else if (change.deleted && namespace !== undefined && this.#terminating.get(namespace)) {
      this.#drains.add(namespace);
    }
  }

  /** Deletes the namespace's content in batches, then the namespace. */
  #drain(namespace: string): void {
    const left = this.#kinds.reduce((sum, kind) => sum + this.#drainKind(kind, namespace), 0);
    const entry = this.#registry.read(storageKey(NAMESPACE, undefined, namespace));
    if (left === 0 && entry && !entry.object.metadata.finalizers?.length) this.#registry.remove(entry);
  }

  /** Each removal adds the namespace back to the backlog, so that the next batch follows. */
  #drainKind(kind: ServedKind, namespace: string): number {
    const range = rangeOf(storageKey(kind, namespace));
    let seen = 0;
    let deleted = 0;
    for (let after = range.after; deleted < BATCH && !this.#isSpent(deleted);) {
      const rows = [...this.#registry.table.list({ after, end: range.end }, BATCH)];
      const last = rows.at(-1);
      if (!last) break;
      // An object with finalizers blocks the namespace but not the objects after it.
      for (const { key } of rows) {
        if (this.#isSpent(deleted)) break;
        deleted += Number(this.#deleteContent(kind, namespace, key));
      }
      seen += rows.length;
      after = last.key;
    }
    return seen;
  }

  /** Whether the rest waits for a later turn, which the deletions so far have scheduled. */
  #isSpent(deleted: number): boolean {
    return deleted > 0 && this.#registry.turns.isSpent;
  }

  #deleteContent(kind: ServedKind, namespace: string, key: string): boolean {
    const name = key.slice(storageKey(kind, namespace).length);
    return deleteObject(
      { registry: this.#registry, namespaces: this, clock: this.#clock },
      { kind, namespace, name, subresource: undefined },
    ).gone;
  }
}
