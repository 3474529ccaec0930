import { HISTORY_PREFIX, templateHistoryPrefix, type KubernetesObject, type Template } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

export interface UnusedHistoriesOptions {
  readonly store: ObjectStore;
  /** Lists at least the metadata of the templates on the API server. */
  readonly templates: Pick<ResourceClient<KubernetesObject>, 'listAll'>;
  /** The informer's cache: fast, but it may lag behind the API server. */
  readonly cache: { list(): readonly Template[] };
}

/**
 * Deletes the histories of templates that do not exist; returns the number of deleted versions. Lists the histories
 * first and the templates afterwards, so that a new template is never taken for a deleted one. A history that is stored
 * late is deleted by the next run. Rejects when the store or the API server is unavailable.
 */
export async function deleteUnusedHistories(options: UnusedHistoriesOptions): Promise<number> {
  const { store, cache } = options;
  const cached = new Set(cache.list().map(historyOf));
  const { prefixes: accounts } = await store.list(HISTORY_PREFIX, { delimiter: '/' });
  let deleted = 0;
  for (const prefix of accounts) {
    const { prefixes: histories } = await store.list(prefix, { delimiter: '/' });
    const unknown = histories.filter((history) => !cached.has(history));
    if (unknown.length === 0) continue;
    const existing = await readExisting(options, prefix.slice(HISTORY_PREFIX.length, -1));
    for (const history of unknown.filter((each) => !existing.has(each))) {
      deleted += await store.deletePrefix(history);
    }
  }
  return deleted;
}

async function readExisting({ templates }: UnusedHistoriesOptions, account: string): Promise<Set<string>> {
  const existing = new Set<string>();
  for await (const template of templates.listAll({ namespace: account })) existing.add(historyOf(template));
  return existing;
}

function historyOf({ metadata: { namespace = 'default', uid } }: KubernetesObject): string {
  return templateHistoryPrefix(namespace, uid);
}
