import type { OwnerReference } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import {
  deleteObject,
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  withoutPolicy,
  type PropagationPolicy,
} from './deletion.ts';
import type { NamespaceLifecycle } from './namespace-lifecycle.ts';
import type { StoredObject } from './objects/stored-object.ts';
import { storageKey, type ServedKind } from './served-kind.ts';
import { Backlog } from './store/backlog.ts';
import type { Write } from './store/change.ts';
import type { Entry, Registry } from './store/registry.ts';

/** Number of objects read from the table at a time at server start. */
const PAGE = 100;

/**
 * Collects dependents like the Kubernetes garbage collector: deletes an object when all its owners are gone, or are
 * being deleted with the policy `Foreground`; with `Orphan`, only removes the reference. An owner with one of these
 * policies is deleted when it has no dependents left.
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

  #observe({ key, object, before, deleted }: Write): void {
    const { ownerReferences, uid, deletionTimestamp } = object.metadata;
    this.#index.set(key, deleted ? undefined : ownerReferences);
    const isEnding = deleted || deletionTimestamp !== undefined;
    for (const dependent of isEnding ? this.#index.dependentsOf(uid) : []) this.#backlog.add(dependent);
    if (!deleted && (isEnding || ownerReferences)) this.#backlog.add(key);
    if (before) this.#settleOwners(before, deleted ? 0 : ownerCount(object));
  }

  /**
   * An owner that lost a dependent may be waiting for this. `left` is the number of owners that the object still has.
   */
  #settleOwners({ metadata: { ownerReferences = [], namespace } }: StoredObject, left: number): void {
    if (ownerReferences.length <= left) return;
    for (const owner of ownerReferences) {
      const key = this.#ownerKey(owner, namespace);
      if (key !== undefined) this.#backlog.add(key);
    }
  }

  #settle(key: string): void {
    const entry = this.#registry.read(key);
    if (!entry) return;
    if (entry.object.metadata.deletionTimestamp !== undefined) return this.#finish(entry);
    const { ownerReferences = [], namespace } = entry.object.metadata;
    const states = ownerReferences.map((owner) => this.#stateOf(owner, namespace));
    const present = ownerReferences.filter((_, index) => states[index] === 'present');
    if (present.length === ownerReferences.length) return;
    if (present.length > 0 || states.includes('orphaning'))
      this.#registry.write(entry.key, withOwners(entry.object, present), entry);
    else this.#delete(entry, states.includes('deleting') ? 'Foreground' : undefined);
  }

  /** Removes the finalizer of the policy from an owner that has no dependents left. */
  #finish(entry: Entry): void {
    const { finalizers = [], uid } = entry.object.metadata;
    const rest = withoutPolicy(finalizers);
    if (rest.length === finalizers.length || this.#index.hasDependents(uid)) return;
    const object = { ...entry.object, metadata: { ...entry.object.metadata, finalizers: rest } };
    if (rest.length === 0) this.#registry.remove(entry, object);
    else this.#registry.write(entry.key, object, entry);
  }

  /** Owners of unknown kinds are assumed to exist. */
  #stateOf(
    owner: OwnerReference,
    namespace: string | undefined,
  ): 'present' | 'gone' | 'deleting' | 'orphaning' {
    const key = this.#ownerKey(owner, namespace);
    if (key === undefined) return 'present';
    const found = this.#registry.read(key)?.object.metadata;
    if (found?.uid !== owner.uid) return 'gone';
    if (found.deletionTimestamp === undefined) return 'present';
    if (found.finalizers?.includes(ORPHAN_FINALIZER)) return 'orphaning';
    return found.finalizers?.includes(FOREGROUND_FINALIZER) ? 'deleting' : 'present';
  }

  #ownerKey(owner: OwnerReference, namespace: string | undefined): string | undefined {
    const kind = this.#kinds.find(
      ({ group, version, kind }) =>
        kind === owner.kind && (group === '' ? version : `${group}/${version}`) === owner.apiVersion,
    );
    return kind && storageKey(kind, kind.namespaced ? namespace : undefined, owner.name);
  }

  #delete({ key, object }: Entry, policy: PropagationPolicy | undefined): void {
    const kind = this.#kinds.find(({ keyPrefix }) => key.startsWith(keyPrefix));
    if (!kind) return;
    const [namespace = '', name = ''] = key.slice(kind.keyPrefix.length).split('/');
    const context = { registry: this.#registry, namespaces: this.#namespaces, clock: this.#clock };
    const target = kind.namespaced ? { namespace, name } : { namespace: undefined, name: namespace };
    const hasDependents = this.#index.hasDependents(object.metadata.uid);
    deleteObject(context, { kind, ...target, subresource: undefined }, hasDependents ? { policy } : {});
  }
}

function ownerCount({ metadata }: StoredObject): number {
  return metadata.ownerReferences?.length ?? 0;
}

function withOwners(object: StoredObject, owners: OwnerReference[]): StoredObject {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: owners.length > 0 ? { ...metadata, ownerReferences: owners } : metadata };
}

/** Index of the keys that refer to an owner, by the owner's uid. */
class OwnerIndex {
  readonly #dependents = new Map<string, Set<string>>();
  readonly #owners = new Map<string, readonly string[]>();

  /** Sets a key's owners; undefined if it has no owners or is deleted. */
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

  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid);
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
