import { isFinished, type Batch, type GenerationJob, type KubernetesObject } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';

/** What this process remembers of its writes to one object, so that a cache that is behind does not mislead it. */
export interface OwnWrites<R extends KubernetesObject> {
  readonly uid: string;
  /** Versions that this process has replaced; a cache that still shows one of them is behind. */
  readonly replaced: Set<string>;
  /** What this process wrote last. */
  latest: R | undefined;
}

export function noteWrite<R extends KubernetesObject>(memory: OwnWrites<R>, before: R, written: R): void {
  memory.replaced.add(before.metadata.resourceVersion);
  memory.latest = written;
}

/** The newest version known of an object: what the cache shows, or what was written since. */
export function newestOf<R extends KubernetesObject>(memory: OwnWrites<R> | undefined, cached: R): R {
  const behind = memory?.uid === cached.metadata.uid && memory.replaced.has(cached.metadata.resourceVersion);
  return (behind && memory.latest) || cached;
}

/** How often one request reads an object again because somebody else wrote it. */
const MOST_READS = 3;

/** Runs a pass over an object, and again over what `read` gives when somebody else wrote it, or deleted it, meanwhile. */
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
      // The cache may take a while to know.
      object = await read();
    }
  }
}

function isOutdated(error: unknown): boolean {
  return error instanceof KubernetesApiError && (error.code === 409 || error.code === 404);
}

/** A finished object is remembered until the cache shows it so: from an older view it would begin anew. */
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
