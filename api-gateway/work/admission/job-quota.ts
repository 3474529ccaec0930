import {
  BATCH,
  BATCH_ITEMS_LABEL,
  GENERATION_JOB,
  MOST_BATCH_ITEMS,
  type Batch,
  type GenerationJob,
  type KubernetesObject,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { metadataOnly } from '@trifold/platform/kubernetes/client/metadata-only.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { ReservedQuota, type PlannedWork } from './reserved-quota.ts';

/** Dependencies and limit of `JobQuota`. */
export interface JobQuotaOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum number of unfinished documents per account; 0 means no limit. */
  readonly most: number;
}

/** Selects unfinished work; a job leaves the selection with its last status. */
const UNFINISHED = 'status.phase!=Completed,status.phase!=Failed';
const RETRY_AFTER_S = 5;

/**
 * Limits the unfinished documents of each account. It counts unfinished jobs and batches from every source with a
 * metadata-only watch, plus the work that this process is about to create. A batch counts with all its items until it
 * is finished. The count lags behind concurrent creations of other processes. Until the cache has synced, only our own
 * work counts.
 */
export class JobQuota {
  readonly #most: number;
  readonly #jobs: Informer<GenerationJob>;
  readonly #batches: Informer<Batch>;
  /** The informers by kind. */
  readonly #informers: ReadonlyMap<string, Informer<GenerationJob> | Informer<Batch>>;
  readonly #reserved: ReservedQuota;

  constructor({ kubernetes, clock, logger, most }: JobQuotaOptions) {
    this.#most = most;
    this.#reserved = new ReservedQuota(clock);
    const namesAlone = new KubernetesClient(metadataOnly(kubernetes.transport));
    const watched = {
      selection: { fieldSelector: UNFINISHED },
      indexes: { account: ({ metadata }: KubernetesObject) => [metadata.namespace ?? ''] },
      clock,
      logger,
    };
    this.#jobs = new Informer<GenerationJob>({
      ...watched,
      client: namesAlone.resource(GENERATION_JOB),
      transform: nameOnly,
    });
    this.#batches = new Informer<Batch>({
      ...watched,
      client: namesAlone.resource(BATCH),
      transform: nameAndItems,
    });
    this.#informers = new Map<string, Informer<GenerationJob> | Informer<Batch>>([
      [GENERATION_JOB.kind, this.#jobs],
      [BATCH.kind, this.#batches],
    ]);
    for (const [kind, informer] of this.#informers) {
      informer.onChange(({ namespace = '', name }) => this.#reserved.shown(kind, namespace, name));
    }
  }

  /** Starts the watches, if there is a limit. */
  start(): void {
    if (this.#most === 0) return;
    this.#jobs.start();
    this.#batches.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#jobs.stop(), this.#batches.stop()]);
  }

  /**
   * Throws ApiError `too_many_jobs` (429) when the new documents exceed the quota of the account. Work that exists or
   * is being created under the same name needs no further quota. Reserves nothing: it only avoids useless work before
   * `making`.
   */
  assertRoom(work: PlannedWork): void {
    const { kind, account, name, documents } = work;
    if (this.#most === 0 || this.#reserved.has(work)) return;
    const live = this.#countOf(account);
    if (live + documents <= this.#most || this.#informers.get(kind)?.get(account, name)) return;
    throw this.#tooMany(live, documents);
  }

  /**
   * Reserves quota, creates the work and holds the reservation until the watch counts the work, so concurrent requests
   * cannot exceed the quota. Rejects with ApiError `too_many_jobs` (429) before calling `create`, or with the error of
   * `create`.
   */
  async making<T>(work: PlannedWork, create: () => Promise<T>): Promise<T> {
    if (this.#most === 0) return create();
    this.assertRoom(work);
    const { kind, account, name } = work;
    const informer = this.#informers.get(kind);
    if (informer?.get(account, name)) return create();
    const created = await this.#reserved.keep(work, create);
    // Without a synced list, no watch can show it: API servers before 1.31 always reject the list.
    if (informer?.hasSynced !== true) this.#reserved.shown(kind, account, name);
    return created;
  }

  #tooMany(live: number, wanted: number): ApiError {
    const asked = wanted === 1 ? 'one more' : `${wanted} more`;
    const advice =
      wanted > this.#most ? 'Ask for fewer at a time.' : 'Try again when some of them are finished.';
    const message = `This account has ${live} documents in the making and may have ${this.#most}: ${asked} would be too many. ${advice}`;
    const headers = { 'retry-after': String(RETRY_AFTER_S) };
    return new ApiError('too_many_jobs', message, { headers });
  }

  #countOf(account: string): number {
    const created = this.#batches
      .byIndex('account', account)
      .reduce((count, batch) => count + itemsOf(batch), this.#jobs.countByIndex('account', account));
    return created + this.#reserved.countOf(account);
  }
}

/** A batch created with kubectl may have a missing or wrong label; it counts as the largest batch. */
function itemsOf({ metadata }: Batch): number {
  const items = Number(metadata.labels?.[BATCH_ITEMS_LABEL]);
  return Number.isInteger(items) && items > 0 && items <= MOST_BATCH_ITEMS ? items : MOST_BATCH_ITEMS;
}

function nameAndItems(batch: Batch): Batch {
  const items = batch.metadata.labels?.[BATCH_ITEMS_LABEL];
  const { metadata, ...rest } = nameOnly(batch);
  return {
    ...rest,
    metadata: { ...metadata, ...(items !== undefined && { labels: { [BATCH_ITEMS_LABEL]: items } }) },
  };
}

/** Drops labels and annotations: they can be much larger than the rest. */
function nameOnly<R extends KubernetesObject>({ metadata, ...object }: R): R {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp } = metadata;
  const kept = { name, ...(namespace && { namespace }), uid, resourceVersion, generation, creationTimestamp };
  return { ...object, metadata: kept } as R;
}
