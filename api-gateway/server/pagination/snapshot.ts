import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';

/** Maximum restarts of a list. */
const MAX_RESTARTS = 3;

/** Returns all objects of a list. Restarts a list that expired between two pages. Rejects with KubernetesApiError. */
export async function snapshot<R>(list: () => AsyncIterable<R>): Promise<R[]> {
  for (let restarts = 0; ; restarts++) {
    try {
      return await collect(list());
    } catch (error) {
      if (!isApiError(error, 'Expired') || restarts === MAX_RESTARTS) throw error;
    }
  }
}

async function collect<R>(objects: AsyncIterable<R>): Promise<R[]> {
  const collected: R[] = [];
  for await (const object of objects) collected.push(object);
  return collected;
}
