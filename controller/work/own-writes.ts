import { isFinished, type Batch, type GenerationJob, type KubernetesObject } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';

/** This process' writes to one object, so that a stale cache does not mislead it. */
export interface OwnWrites<R extends KubernetesObject> {
  readonly uid: string;
  /** Resource versions that this process has replaced; a cache that still shows one of them is stale. */
  readonly replaced: Set<string>;
  /** The object as this process last wrote it. */
  latest: R | undefined;
}

export function noteWrite<R extends KubernetesObject>(memory: OwnWrites<R>, before: R, written: R): void {
  memory.replaced.add(before.metadata.resourceVersion);
  memory.latest = written;
}

/** Returns the newest known version of an object: from the cache, or from a later write of this process. */
export function newestOf<R extends KubernetesObject>(memory: OwnWrites<R> | undefined, cached: R): R {
  const behind = memory?.uid === cached.metadata.uid && memory.replaced.has(cached.metadata.resourceVersion);
  return (behind && memory.latest) || cached;
}

/** Maximum passes over an object in one reconcile when others write it meanwhile. */
const MOST_READS = 3;

/**
 * Runs a pass over an object. Repeats it with the result of `read` when someone else wrote or deleted the object
 * meanwhile.
 */
export async function overNewest<R, Result>(
  known: R | undefined,
  read: () => Promise<R | undefined>,
  pass: (object: R | undefined) => Promise<Result>,
): Promise<Result> {
  let object = known;
  for (let reads = 1; ; reads += 1) {
    try {
      return await pass(object);
    } catch (error) {
      if (!isOutdated(error) || reads >= MOST_READS) throw error;
      // The cache may not show the change yet.
      object = await read();
    }
  }
}

function isOutdated(error: unknown): boolean {
  return error instanceof KubernetesApiError && (error.code === 409 || error.code === 404);
}

/** Forgets a finished object once the cache shows it as finished: from an older view it would start again. */
export function leaveFinished<R extends GenerationJob | Batch, Memory extends OwnWrites<R>>(
  key: ObjectKey,
  cache: { get(namespace: string | undefined, name: string): R | undefined },
  memories: { find(key: ObjectKey): Memory | undefined; forget(memory: Memory): void },
): void {
  const remembered = memories.find(key);
  if (!remembered) return;
  const cached = cache.get(key.namespace, key.name);
  const behind = cached?.metadata.uid === remembered.uid && !isFinished(cached);
  if (!behind) memories.forget(remembered);
}
