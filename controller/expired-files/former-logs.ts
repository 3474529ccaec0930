import { REQUESTS_PREFIX, type KubernetesObject } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

/**
 * Deletes the request logs of deleted accounts; returns the number of deleted objects. Lists the logs before the
 * namespaces, so that a new account is never mistaken for a deleted one. The log of an account whose name is in use again
 * expires with its days. Rejects when the store or the API server is unavailable.
 */
export async function deleteLogsOfFormerAccounts(
  store: Pick<ObjectStore, 'list' | 'deletePrefix'>,
  namespaces: Pick<ResourceClient<KubernetesObject>, 'listAll'>,
): Promise<number> {
  const { prefixes: days } = await store.list(REQUESTS_PREFIX, { delimiter: '/' });
  const logs: string[] = [];
  for (const day of days) logs.push(...(await store.list(day, { delimiter: '/' })).prefixes);
  if (logs.length === 0) return 0;
  const existing = new Set<string>();
  for await (const { metadata } of namespaces.listAll()) existing.add(metadata.name);
  let deleted = 0;
  for (const log of logs) {
    const [, , account = ''] = log.split('/');
    if (!existing.has(account)) deleted += await store.deletePrefix(log);
  }
  return deleted;
}
