import {
  BATCH,
  GENERATION_JOB,
  MOST_BATCH_ITEMS,
  type Batch,
  type GenerationJob,
  type KubernetesObject,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client.ts';
import { Informer } from '@trifold/platform/kubernetes/informer.ts';
import { metadataOnly } from '@trifold/platform/kubernetes/metadata-only.ts';
import type { Logger } from '@trifold/platform/logging.ts';
import { ApiError } from '../errors/api-error.ts';

export interface LiveJobsOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of one account; 0: as many as it wants. */
  readonly most: number;
}

/** What has no end yet; a job leaves the selection with its last status. */
const UNFINISHED = 'status.phase!=Completed,status.phase!=Failed';
const RETRY_AFTER_S = 5;

/** Label of a batch: how many items it has. It is counted by its metadata alone. */
export const ITEMS_LABEL = 'trifold.dev/items';

/**
 * How many documents each account has in the making, whoever asked for them, by a watch of the names of unfinished jobs
 * and batches alone. A batch counts with all its items until it is finished. A count is behind by what is under way at
 * the moment; before the first list it is 0.
 */
export class LiveJobs {
  readonly #most: number;
  readonly #jobs: Informer<GenerationJob>;
  readonly #batches: Informer<Batch>;

  constructor({ kubernetes, clock, logger, most }: LiveJobsOptions) {
    this.#most = most;
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
  }

  /** Begins to count, if there is a limit. */
  start(): void {
    if (this.#most === 0) return;
    this.#jobs.start();
    this.#batches.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#jobs.stop(), this.#batches.stop()]);
  }

  /** Throws ApiError `too_many_jobs` (429) when the account may not have that many more. */
  assertRoom(account: string, wanted = 1): void {
    if (this.#most === 0) return;
    const live = this.#countOf(account);
    if (live + wanted <= this.#most) return;
    const asked = wanted === 1 ? 'one more' : `${wanted} more`;
    const advice =
      wanted > this.#most ? 'Ask for fewer at a time.' : 'Try again when some of them are finished.';
    const message = `This account has ${live} documents in the making and may have ${this.#most}: ${asked} would be too many. ${advice}`;
    const headers = { 'retry-after': String(RETRY_AFTER_S) };
    throw new ApiError('too_many_jobs', message, { headers });
  }

  #countOf(account: string): number {
    return this.#batches
      .byIndex('account', account)
      .reduce((count, batch) => count + itemsOf(batch), this.#jobs.countByIndex('account', account));
  }
}

/** One made with kubectl says of itself what it likes, or nothing. */
function itemsOf({ metadata }: Batch): number {
  const items = Number(metadata.labels?.[ITEMS_LABEL] ?? 1);
  return Number.isInteger(items) && items > 0 && items <= MOST_BATCH_ITEMS ? items : MOST_BATCH_ITEMS;
}

function nameAndItems(batch: Batch): Batch {
  const items = batch.metadata.labels?.[ITEMS_LABEL];
  const { metadata, ...rest } = nameOnly(batch);
  return {
    ...rest,
    metadata: { ...metadata, ...(items !== undefined && { labels: { [ITEMS_LABEL]: items } }) },
  };
}

/** Labels and annotations may be many times as large as what is needed. */
function nameOnly<R extends KubernetesObject>({ metadata, ...object }: R): R {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp } = metadata;
  const kept = { name, ...(namespace && { namespace }), uid, resourceVersion, generation, creationTimestamp };
  return { ...object, metadata: kept } as R;
}
