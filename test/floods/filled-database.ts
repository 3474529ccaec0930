import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  newId,
  templateHistoryPrefix,
  type IdPrefix,
  type KindName,
  type KubernetesObject,
} from '@trifold/crds';
import { RevisionTable } from '@trifold/embedded-apiserver/store/revision-table.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';

/** Objects of one kind, to be copied in the database. */
export interface Copies<R extends KubernetesObject> {
  readonly kind: KindName;
  /** Objects that the service wrote. Each is copied equally often. */
  readonly originals: readonly R[];
  readonly count: number;
  /** Returns a copy, which has its name and uid, with the differences that the service would write. */
  readonly change?: (copy: R, original: R) => R;
}

/**
 * Writes rows of copies, as the API server writes them, into the database of a stopped service: a thousand times
 * as fast as requests. Returns the uids of the copies.
 */
export function copyObjects<R extends KubernetesObject>(
  data: string,
  { kind, originals, count, change = (copy) => copy }: Copies<R>,
): string[] {
  const table = new RevisionTable(path.join(data, 'control-plane.sqlite'));
  const uids = Array.from({ length: count }, () => randomUUID());
  const add = (uid: string, index: number) => {
    const original = originals[index % originals.length]!;
    const id = table.nextId();
    const written = systemClock.now();
    const [prefix] = original.metadata.name.split('-') as [IdPrefix];
    const name = newId(prefix, written);
    const metadata = { ...original.metadata, name, uid, resourceVersion: String(id) };
    const key = `${kind.group}/${kind.plural}/${metadata.namespace}/${name}`;
    const value = JSON.stringify(change({ ...original, metadata }, original));
    table.append({ id, key, created: true, deleted: false, previous: 0, written: written.getTime(), value });
  };
  try {
    table.transaction(() => uids.forEach(add));
  } finally {
    table.close();
  }
  return uids;
}

/** Returns the object store of a stopped service. */
export function storeOf(data: string): DirectoryStore {
  return new DirectoryStore({ root: path.join(data, 'objects'), durability: 'process' });
}

/**
 * Gives templates the files of another template: its versions, thumbnails and samples. Hard links save the disk space.
 */
export function linkHistories(
  data: string,
  account: string,
  original: string,
  uids: readonly string[],
): void {
  const folder = (uid: string) => path.join(data, 'objects/objects', templateHistoryPrefix(account, uid));
  const names = readdirSync(folder(original));
  for (const uid of uids) {
    mkdirSync(folder(uid), { recursive: true, mode: 0o700 });
    const present = new Set(readdirSync(folder(uid)));
    for (const name of names) if (!present.has(name)) linkSync(folder(original) + name, folder(uid) + name);
  }
}
