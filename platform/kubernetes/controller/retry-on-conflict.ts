import type { KubernetesObject } from '@trifold/crds';
import type { MutableLister } from '../cache/mutation-cache.ts';
import { KubernetesApiError } from '../client/api-error.ts';
import type { ResourceClient } from '../client/client.ts';
import type { ObjectKey } from '../client/object-key.ts';

/** Source from which a reconciler reads objects. */
export interface Reads<R extends KubernetesObject> {
  readonly cache: MutableLister<R>;
  readonly client: Pick<ResourceClient<R>, 'find'>;
  readonly signal: AbortSignal;
}

/** Maximum number of passes over an object in one reconcile while other clients keep changing it. */
const MAX_PASSES = 3;

/** Runs a pass over the cached object. Repeats it with the server's object if the cached one is outdated. */
export async function retryOnConflict<R extends KubernetesObject, Result>(
  { namespace, name }: ObjectKey,
  { cache, client, signal }: Reads<R>,
  pass: (object: R | undefined) => Promise<Result>,
): Promise<Result> {
  let object = cache.get(namespace, name);
  for (let passes = 1; ; passes += 1) {
    try {
      return await pass(object);
    } catch (error) {
      if (!isOutdated(error) || passes >= MAX_PASSES) throw error;
      object = await client.find(namespace, name, signal);
      if (object) cache.mutated(object);
    }
  }
}

function isOutdated(error: unknown): boolean {
  return error instanceof KubernetesApiError && (error.code === 409 || error.code === 404);
}
