import type { OwnerReference } from '@trifold/crds';

/** Index of the keys that refer to an owner, by uid of the owner. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Set<string>>();
  readonly #owners = new Map<string, readonly string[]>();

  /** Sets the owners of a key; undefined when it has no owners or is deleted. */
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
