import type { Batch, GenerationJob, KubernetesObject } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { UsageCounters } from '@trifold/platform/records/usage/usage-counters.ts';
import type { IndexList } from '@trifold/platform/records/documents/work-index.ts';
import { FINISHED_WORK, workPageSize } from '@trifold/platform/records/usage/work-usage.ts';
import type { FinishedKind } from './finished-kind.ts';

/**
 * Below this number, due work is read individually: an account may have very many finished jobs but few that are due.
 */
const MIN_TO_LIST = 50;
/**
 * A list begins with the oldest names, and the oldest work is due first. So the pages needed for the due work plus one
 * more page usually contain it all. The rest is read individually.
 */
const MORE_PAGES = 1;
const CONCURRENT_GETS = 8;

/** Identifies a resource of any kind. */
export interface WorkName {
  readonly kind: string;
  readonly account: string;
  readonly name: string;
  readonly uid: string;
}

/** Work on the API server whose TTL has expired: it may be counted and deleted. */
export interface CountableWork extends WorkName {
  /** Name of the report that counts the work. */
  readonly day: string;
  readonly usage: UsageCounters;
  /** Index row that lists show after the work's deletion; undefined if lists omit the work. */
  readonly row: unknown;
}

export interface CountedKindOptions<R extends GenerationJob | Batch> {
  readonly client: Pick<ResourceClient<R>, 'kind' | 'find' | 'listAll' | 'delete'>;
  /**
   * Lists metadata only; objects that the cache contains in the same version are taken from it, and `list` omits the
   * others. @default `client`
   */
  readonly metadata?: Pick<ResourceClient<KubernetesObject>, 'listAll'>;
  readonly finished: Pick<FinishedKind<R>, 'usageOf' | 'rowOf' | 'indexList'>;
  /** Whether the work's TTL has expired. */
  readonly isDue: (resource: R) => boolean;
  readonly cache: Pick<Informer<R>, 'get' | 'deleted'>;
}

/** A kind of work that is counted before it is deleted. */
export class CountedKind<R extends GenerationJob | Batch> {
  readonly kind: string;
  /** Index list that shows the work after its deletion. */
  readonly indexList: IndexList;
  readonly #options: CountedKindOptions<R>;

  constructor(options: CountedKindOptions<R>) {
    this.kind = options.client.kind.kind;
    this.indexList = options.finished.indexList;
    this.#options = options;
  }

  /**
   * Returns the work that exists and is due now, according to the API server. A cache is not enough: it may still
   * contain work that was just counted and deleted. If there is a lot of work, one or two lists fetch the oldest.
   */
  async lookUp(account: string, due: readonly WorkName[], signal: AbortSignal): Promise<CountableWork[]> {
    const wanted = new Set(due.map(({ uid }) => uid));
    const isMany = due.length >= MIN_TO_LIST;
    const listed = isMany
      ? await this.#firstPages(account, wanted, signal)
      : new Map<string, CountableWork>();
    const found = due.flatMap(({ uid }) => listed.get(uid) ?? []);
    const missing = due.filter(({ uid }) => !listed.has(uid));
    await inParallel(missing, CONCURRENT_GETS, async ({ name }) => {
      const resource = await this.#options.client.find(account, name, signal);
      const work = resource && this.#workOf(resource);
      if (work && wanted.has(work.uid)) found.push(work);
    });
    return found;
  }

  /** Resolves when the work with this uid has been or is being deleted and the cache no longer shows it. */
  async delete(work: WorkName, signal: AbortSignal): Promise<void> {
    const { client, cache } = this.#options;
    await deleteWork(client, work, signal);
    const deleted = cache.get(work.account, work.name);
    if (deleted?.metadata.uid === work.uid) cache.deleted(deleted);
  }

  async #firstPages(
    account: string,
    wanted: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Map<string, CountableWork>> {
    const { client, metadata } = this.#options;
    const found = new Map<string, CountableWork>();
    const limit = workPageSize(this.kind);
    let left = (Math.ceil(wanted.size / limit) + MORE_PAGES) * limit;
    const selection = { namespace: account, fieldSelector: FINISHED_WORK, limit, signal };
    for await (const listed of (metadata ?? client).listAll(selection)) {
      const resource = metadata ? this.#sameInCache(listed) : (listed as R);
      const work = resource && this.#workOf(resource);
      if (work && wanted.has(work.uid)) found.set(work.uid, work);
      left -= 1;
      if (found.size === wanted.size || left === 0) break;
    }
    return found;
  }

  /** Returns undefined for a resource that must be kept. */
  #workOf(resource: R): CountableWork | undefined {
    const { finished, isDue } = this.#options;
    const work = finished.usageOf(resource);
    if (!work || !isDue(resource)) return undefined;
    const { namespace: account = '', name, uid } = resource.metadata;
    return { kind: this.kind, account, name, uid, ...work, row: finished.rowOf(resource) };
  }

  #sameInCache({ metadata: { namespace, name, uid, resourceVersion } }: KubernetesObject): R | undefined {
    const known = this.#options.cache.get(namespace, name);
    const isSame = known?.metadata.uid === uid && known.metadata.resourceVersion === resourceVersion;
    return isSame ? known : undefined;
  }
}

/**
 * Deletes the work with this uid. A conflict need not mean a reused name; the uid of the current resource shows whether
 * it does.
 */
async function deleteWork(
  client: Pick<ResourceClient<KubernetesObject>, 'find' | 'delete'>,
  { account, name, uid }: WorkName,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.delete(account, name, { uid, signal });
  } catch (error) {
    const code = error instanceof KubernetesApiError ? error.code : undefined;
    if (code === 404) return;
    if (code !== 409) throw error;
    const there = await client.find(account, name, signal);
    if (there?.metadata.uid === uid) throw error;
  }
}
