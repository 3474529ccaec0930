import type { KubernetesObject } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { UsageCounters } from '@trifold/platform/records/usage/usage-counters.ts';
import { FINISHED_WORK, workPageSize, type WorkUsage } from '@trifold/platform/records/usage/work-usage.ts';

/** Which resource it is about, of whatever kind. */
export interface WorkName {
  readonly kind: string;
  readonly account: string;
  readonly name: string;
  readonly uid: string;
}

/** Work as the API server has it, whose time to live is over: it may be counted and deleted. */
export interface FinishedWork extends WorkName {
  /** Name of the report it belongs to. */
  readonly day: string;
  readonly usage: UsageCounters;
}

/** A page of what an account has of a kind. */
export interface WorkPage {
  readonly work: readonly FinishedWork[];
  /** Of the next page; undefined on the last. */
  readonly continue: string | undefined;
}

/** A kind of work that is counted before it is deleted. Everything is asked of the API server, never of a cache. */
export interface CountedKind {
  readonly kind: string;
  /** Undefined when there is none of that name, or it has to stay. */
  find(account: string, name: string, signal: AbortSignal): Promise<FinishedWork | undefined>;
  list(account: string, continueAt: string | undefined, signal: AbortSignal): Promise<WorkPage>;
  /** Resolves when the one with this uid is gone, or is being deleted. */
  delete(work: WorkName, signal: AbortSignal): Promise<void>;
}

export interface CountedKindOptions<R extends KubernetesObject> {
  readonly client: Pick<ResourceClient<R>, 'kind' | 'find' | 'list' | 'delete'>;
  /** What it adds to which day; undefined while it is not finished, or is being deleted already. */
  readonly usageOf: (resource: R) => WorkUsage | undefined;
  /** Whether its time to live is over. */
  readonly isDue: (resource: R) => boolean;
}

/** One of our kinds, by its client. */
export function countedKind<R extends KubernetesObject>(options: CountedKindOptions<R>): CountedKind {
  const { client, usageOf, isDue } = options;
  const { kind } = client.kind;
  const workOf = (resource: R): FinishedWork | undefined => {
    const work = usageOf(resource);
    if (!work || !isDue(resource)) return undefined;
    const { namespace: account = '', name, uid } = resource.metadata;
    return { kind, account, name, uid, ...work };
  };
  return {
    kind,
    async find(account, name, signal) {
      const resource = await client.find(account, name, signal);
      return resource && workOf(resource);
    },
    async list(account, continueAt, signal) {
      const page = await client.list({
        namespace: account,
        fieldSelector: FINISHED_WORK,
        limit: workPageSize(kind),
        ...(continueAt !== undefined && { continue: continueAt }),
        signal,
      });
      return { work: page.items.flatMap((item) => workOf(item) ?? []), continue: page.continue };
    },
    delete: (work, signal) => deleteWork(client, work, signal),
  };
}

/** A refusal may have another reason than a name that is used again; only the uid that is there now tells. */
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
