import type { OwnerReference } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { deleteObject, FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type DeleteOptions } from './deletion.ts';
import type { NamespaceLifecycle } from './namespace-lifecycle.ts';
import type { StoredObject } from './objects/stored-object.ts';
import { OwnerIndex } from './owner-index.ts';
import { storageKey, type ServedKind } from './served-kind.ts';
import { Backlog } from './store/backlog.ts';
import type { Change } from './store/change.ts';
import type { Entry, Registry } from './store/registry.ts';

const BACKGROUND: DeleteOptions = {
  dryRun: false,
  propagationPolicy: 'Background',
  uid: undefined,
  resourceVersion: undefined,
};

/**
 * Collects dependents as the garbage collector of Kubernetes does: deletes an object when all its owners are gone.
 * `Foreground` deletes the dependents before the owner, `Orphan` removes their owner references.
 */
export class OwnerCollection {
  readonly #registry: Registry;
  readonly #namespaces: NamespaceLifecycle;
  readonly #clock: Clock;
  readonly #kinds: readonly ServedKind[];
  readonly #index = new OwnerIndex();
  readonly #backlog: Backlog<string>;
  readonly #unsubscribe: () => void;

  constructor(
    registry: Registry,
    kinds: readonly ServedKind[],
    options: { clock: Clock; logger: Logger; namespaces: NamespaceLifecycle },
  ) {
    this.#registry = registry;
    this.#kinds = kinds;
    this.#clock = options.clock;
    this.#namespaces = options.namespaces;
    this.#backlog = new Backlog(options.logger, (key) => this.#settle(key));
    this.#unsubscribe = registry.subscribe('', (change) => this.#observe(change));
  }

  /** Resumes work that a restart interrupted: owners may be gone while their dependents remain. */
  start(): void {
    for (const row of this.#registry.table.all()) {
      const { metadata } = JSON.parse(row.value) as StoredObject;
      this.#index.set(row.key, metadata.ownerReferences);
      if (metadata.ownerReferences ?? metadata.deletionTimestamp) this.#backlog.add(row.key);
    }
  }

  stop(): void {
    this.#unsubscribe();
    this.#backlog.stop();
  }

  #observe({ key, object, before, deleted }: Change): void {
    const { ownerReferences, deletionTimestamp, uid } = object.metadata;
    this.#index.set(key, deleted ? undefined : ownerReferences);
    if (deleted) {
      for (const dependent of this.#index.dependentsOf(uid)) this.#backlog.add(dependent);
      for (const owner of before?.metadata.ownerReferences ?? []) this.#revisit(owner, object);
    } else if (ownerReferences !== undefined || deletionTimestamp !== undefined) {
      this.#backlog.add(key);
    }
  }

  /** The dependent may be the last one that its owner waits for. */
  #revisit(owner: OwnerReference, dependent: StoredObject): void {
    const key = this.#ownerKey(owner, dependent.metadata.namespace);
    if (key !== undefined) this.#backlog.add(key);
  }

  #settle(key: string): void {
    const entry = this.#registry.read(key);
    if (!entry) return;
    const { deletionTimestamp, finalizers = [] } = entry.object.metadata;
    if (deletionTimestamp === undefined) this.#settleDependent(entry);
    else if (finalizers.includes(ORPHAN_FINALIZER)) this.#orphanDependents(entry);
    else if (finalizers.includes(FOREGROUND_FINALIZER)) this.#deleteDependents(entry);
  }

  #settleDependent(entry: Entry): void {
    const { ownerReferences = [], namespace } = entry.object.metadata;
    const present = ownerReferences.filter((owner) => this.#isPresent(owner, namespace));
    if (present.length === ownerReferences.length) return;
    if (present.length === 0) this.#delete(entry.key);
    else this.#registry.write(entry.key, withOwners(entry.object, present), entry);
  }

  /** Owners of unknown kinds count as present. */
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

  #orphanDependents(entry: Entry): void {
    const { uid } = entry.object.metadata;
    for (const key of this.#index.dependentsOf(uid)) {
      const dependent = this.#registry.read(key);
      const owners = dependent?.object.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [];
      if (dependent) this.#registry.write(key, withOwners(dependent.object, owners), dependent);
    }
    this.#dropFinalizer(entry, ORPHAN_FINALIZER);
  }

  #deleteDependents(entry: Entry): void {
    const dependents = this.#index.dependentsOf(entry.object.metadata.uid);
    for (const key of dependents) this.#delete(key);
    const left = this.#index.dependentsOf(entry.object.metadata.uid);
    if (left.length === 0) this.#dropFinalizer(entry, FOREGROUND_FINALIZER);
  }

  #dropFinalizer(entry: Entry, finalizer: string): void {
    const finalizers = (entry.object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    const { finalizers: _, ...metadata } = entry.object.metadata;
    const object: StoredObject = {
      ...entry.object,
      metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata,
    };
    if (finalizers.length > 0) this.#registry.write(entry.key, object, entry);
    else this.#registry.remove(entry, object);
  }

  #delete(key: string): void {
    const kind = this.#kinds.find(({ keyPrefix }) => key.startsWith(keyPrefix));
    if (!kind) return;
    const [namespace = '', name = ''] = key.slice(kind.keyPrefix.length).split('/');
    const context = { registry: this.#registry, namespaces: this.#namespaces, clock: this.#clock };
    const target = kind.namespaced ? { namespace, name } : { namespace: undefined, name: namespace };
    deleteObject(context, { kind, ...target, subresource: undefined }, BACKGROUND);
  }
}

function withOwners(object: StoredObject, owners: OwnerReference[]): StoredObject {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: owners.length > 0 ? { ...metadata, ownerReferences: owners } : metadata };
}
