import type { OwnerReference } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { deleteObject } from './deletion.ts';
import type { NamespaceLifecycle } from './namespace-lifecycle.ts';
import type { StoredObject } from './objects/stored-object.ts';
import { storageKey, type ServedKind } from './served-kind.ts';
import { Backlog } from './store/backlog.ts';
import type { Write } from './store/change.ts';
import type { Registry } from './store/registry.ts';

/** Number of objects read from the table at a time at server start. */
const PAGE = 100;

/**
 * Collects dependents like the Kubernetes garbage collector with the policy `Background`: deletes an object when all
 * its owners are gone.
 */
export class OwnerCollection {
  readonly #registry: Registry;
  readonly #namespaces: NamespaceLifecycle;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #kinds: readonly ServedKind[];
  readonly #index = new OwnerIndex();
  readonly #backlog: Backlog<string>;
  readonly #unsubscribe: () => void;
  #stopped = false;

  constructor(
    registry: Registry,
    kinds: readonly ServedKind[],
    options: { clock: Clock; logger: Logger; namespaces: NamespaceLifecycle },
  ) {
    this.#registry = registry;
    this.#kinds = kinds;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#namespaces = options.namespaces;
    this.#backlog = new Backlog(registry.turns, options.logger, (key) => this.#settle(key));
    this.#unsubscribe = registry.subscribe('', (change) => this.#observe(change));
  }

  /**
   * Resumes work that a restart interrupted: owners may be gone while their dependents still exist. Finds the
   * dependents while the server is already serving requests.
   */
  start(): void {
    this.#resume(0);
  }

  #resume(after: number): void {
    if (this.#stopped) return;
    const rows = this.#registry.table.owned(after, PAGE);
    let reached = after;
    for (const { key, id } of rows) {
      if (this.#registry.turns.isSpent) break;
      reached = id;
      const { ownerReferences } = this.#registry.read(key)?.object.metadata ?? {};
      this.#index.set(key, ownerReferences);
      if (ownerReferences) this.#backlog.add(key);
    }
    if (rows.length === 0) return;
    this.#registry.turns
      .run(() => this.#resume(reached))
      .catch((err: unknown) => this.#logger.error({ err }, 'failed to find dependents'));
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    this.#backlog.stop();
  }

  #observe({ key, object, deleted }: Write): void {
    const { ownerReferences, uid } = object.metadata;
    this.#index.set(key, deleted ? undefined : ownerReferences);
    const unsettled = deleted ? this.#index.dependentsOf(uid) : ownerReferences ? [key] : [];
    for (const dependent of unsettled) this.#backlog.add(dependent);
  }

  #settle(key: string): void {
    const entry = this.#registry.read(key);
    if (!entry || entry.object.metadata.deletionTimestamp !== undefined) return;
    const { ownerReferences = [], namespace } = entry.object.metadata;
    const present = ownerReferences.filter((owner) => this.#isPresent(owner, namespace));
    if (present.length === ownerReferences.length) return;
    if (present.length === 0) this.#delete(entry.key);
    else this.#registry.write(entry.key, withOwners(entry.object, present), entry);
  }

  /** Owners of unknown kinds are assumed to exist. */
  #isPresent(owner: OwnerReference, namespace: string | undefined): boolean {
    const key = this.#ownerKey(owner, namespace);
    return key === undefined || this.#registry.read(key)?.object.metadata.uid === owner.uid;
  }

  #ownerKey(owner: OwnerReference, namespace: string | undefined): string | undefined {
    const kind = this.#kinds.find(
      ({ group, version, kind }) =>
        kind === owner.kind && (group === '' ? version : `${group}/${version}`) === owner.apiVersion,
    );
    return kind && storageKey(kind, kind.namespaced ? namespace : undefined, owner.name);
  }

  #delete(key: string): void {
    const kind = this.#kinds.find(({ keyPrefix }) => key.startsWith(keyPrefix));
    if (!kind) return;
    const [namespace = '', name = ''] = key.slice(kind.keyPrefix.length).split('/');
    const context = { registry: this.#registry, namespaces: this.#namespaces, clock: this.#clock };
    const target = kind.namespaced ? { namespace, name } : { namespace: undefined, name: namespace };
    deleteObject(context, { kind, ...target, subresource: undefined });
  }
}

function withOwners(object: StoredObject, owners: OwnerReference[]): StoredObject {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: owners.length > 0 ? { ...metadata, ownerReferences: owners } : metadata };
}

/** Index of the keys that refer to an owner, by the owner's uid. */
class OwnerIndex {
  readonly #dependents = new Map<string, Set<string>>();
  readonly #owners = new Map<string, readonly string[]>();

  /** Sets the owners of a key; undefined if it has no owners or is deleted. */
  set(key: string, references: readonly OwnerReference[] | undefined): void {
    if (references === undefined && !this.#owners.has(key)) return;
    for (const uid of this.#owners.get(key) ?? []) this.#forget(uid, key);
    const uids = (references ?? []).map((owner) => owner.uid);
    if (uids.length === 0) this.#owners.delete(key);
    else this.#owners.set(key, uids);
    for (const uid of uids) {
      const keys = this.#dependents.get(uid) ?? new Set();
      this.#dependents.set(uid, keys.add(key));
    }
  }

  dependentsOf(uid: string): string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  #forget(uid: string, key: string): void {
    const keys = this.#dependents.get(uid);
    keys?.delete(key);
    if (keys?.size === 0) this.#dependents.delete(uid);
  }
}
