import {
  BATCH,
  BATCH_ITEMS_LABEL,
  GATEWAY_LABEL,
  GENERATION_JOB,
  isFinished,
  MAX_BATCH_ITEMS,
  WEIGHT_LABEL,
  type Batch,
  type GenerationJob,
  type KindName,
  type KubernetesObject,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { identityMetadata } from '@trifold/platform/kubernetes/cache/identity-metadata.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { UNFINISHED_WORK } from '@trifold/platform/records/usage/work-usage.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { IdempotentRequest } from '../../server/idempotency/request-records.ts';
import type { OwnJobs } from '../documents/job-waiters.ts';
import { countedDocuments, HEAVY, labeledWeight } from './work-weight.ts';

/** Work that is about to be created. */
export interface PlannedWork {
  readonly kind: string;
  /** Namespace of the account. */
  readonly account: string;
  readonly name: string;
  /** Number of documents the work counts as. */
  readonly documents: number;
}

interface Reservation {
  readonly work: PlannedWork;
  /** Number of attempts in progress for the request. */
  holders: number;
}

const RETRY_AFTER_S = 5;
/** Index of unfinished work by account. */
const ACCOUNT = 'account';
const COUNTED_LABELS: readonly string[] = [BATCH_ITEMS_LABEL, WEIGHT_LABEL];

/**
 * Limits each account's unfinished documents. It counts unfinished jobs and batches from every source, plus the work
 * that this process is creating. All items of a batch count until the batch is finished. The jobs that this gateway
 * waits for are in a separate cache; metadata-only watches cover the others, so that no event arrives twice. The count
 * lags behind concurrent creations by other processes. Until the caches have synced, only work that this process is
 * creating counts.
 */
export class UnfinishedDocumentsQuota {
  readonly #most: number;
  readonly #ownJobs: OwnJobs;
  /** The caches of unfinished work by kind, excluding our own jobs. */
  readonly #live: ReadonlyMap<string, Informer<KubernetesObject>>;
  /** Quota for work that is being created, by ID or request. */
  readonly #reservations = new Map<string, Reservation>();

  /** `most`: maximum unfinished documents per account (platform/settings/quota-settings.ts); 0 means no limit. */
  constructor(
    most: number,
    ownJobs: OwnJobs,
    kubernetes: KubernetesClient,
    common: { clock: Clock; logger: Logger },
  ) {
    this.#most = most;
    this.#ownJobs = ownJobs;
    const labelSelector = `${GATEWAY_LABEL}!=${ownJobs.gateway}`;
    const watched = (kind: KindName) =>
      new Informer({
        client: kubernetes.builtin<KubernetesObject>(kind).metadataOnly(),
        selection: { fieldSelector: UNFINISHED_WORK, labelSelector },
        inOnePiece: true,
        indexes: {
          [ACCOUNT]: ({ metadata }) => [metadata.namespace ?? ''],
          [HEAVY]: (work) => (labeledWeight(work) === 1 ? [] : [work.metadata.namespace ?? '']),
        },
        transform: nameAndItems,
        ...common,
      });
    this.#live = new Map([GENERATION_JOB, BATCH].map((kind) => [kind.kind, watched(kind)]));
  }

  /** Starts the watches, if there is a limit. */
  start(): void {
    if (this.#most === 0) return;
    for (const informer of this.#live.values()) informer.start();
  }

  async stop(): Promise<void> {
    await Promise.all(Array.from(this.#live.values(), (informer) => informer.stop()));
  }

  /**
   * Reserves quota for work until the returned function is called. Attempts of the same request (`known`) share a
   * reservation, and existing work with the same name needs none. Throws ApiError `too_many_jobs` (429).
   */
  reserve(work: PlannedWork, known?: IdempotentRequest): () => void {
    if (this.#most === 0) return () => undefined;
    const key = known ? `${known.account}/${known.keyId}/${known.route}/${known.key}` : work.name;
    const reservation = this.#reservations.get(key) ?? { work, holders: 0 };
    if (reservation.holders === 0) this.#assertQuota(work);
    this.#reservations.set(key, reservation);
    reservation.holders += 1;
    return () => {
      reservation.holders -= 1;
      if (reservation.holders === 0) this.#reservations.delete(key);
    };
  }

  /** Counts newly created work until the watch shows it. */
  created(resource: GenerationJob | Batch): void {
    if (this.#most === 0) return;
    const cache = this.#ownJobs.isOwn(resource) ? this.#ownJobs : this.#live.get(resource.kind);
    // Without a synced list, no watch would ever remove it: API servers before 1.31 always reject the list.
    if (cache?.hasSynced) cache.mutated(resource);
  }

  #assertQuota(work: PlannedWork): void {
    const live = this.#countOf(work.account);
    if (live + work.documents <= this.#most || this.#isLive(work)) return;
    throw this.#tooMany(live, work.documents);
  }

  #tooMany(live: number, wanted: number): ApiError {
    const asked = wanted === 1 ? 'one more' : `${wanted} more`;
    const advice =
      wanted > this.#most ? 'Request fewer at a time.' : 'Try again when some of them have finished.';
    const message = `This account has ${live} unfinished documents; the limit is ${this.#most}, so ${asked} would exceed it. ${advice}`;
    const headers = { 'retry-after': String(RETRY_AFTER_S) };
    return new ApiError('too_many_jobs', message, { headers });
  }

  #countOf(account: string): number {
    const others = this.#live.get(GENERATION_JOB.kind);
    const jobs =
      (others ? countedDocuments(others, account, ACCOUNT) : 0) + this.#ownJobs.countUnfinished(account);
    const batches = this.#live.get(BATCH.kind)?.byIndex(ACCOUNT, account) ?? [];
    let count = batches.reduce((sum, batch) => sum + itemsOf(batch), jobs);
    for (const { work } of this.#reservations.values()) {
      if (work.account === account && !this.#isLive(work)) count += work.documents;
    }
    return count;
  }

  /** Whether the caches count the work. */
  #isLive({ kind, account, name }: PlannedWork): boolean {
    const own = kind === GENERATION_JOB.kind ? this.#ownJobs.get(account, name) : undefined;
    return (own && !isFinished(own)) || this.#live.get(kind)?.get(account, name) !== undefined;
  }
}

/** A batch created with kubectl may lack the label or have a wrong one; it counts as the largest batch. */
function itemsOf(batch: KubernetesObject): number {
  const items = Number(batch.metadata.labels?.[BATCH_ITEMS_LABEL]);
  const isValid = Number.isInteger(items) && items > 0 && items <= MAX_BATCH_ITEMS;
  return Math.max(isValid ? items : MAX_BATCH_ITEMS, labeledWeight(batch));
}

/** Drops everything else, in particular other labels and annotations, which can be much larger than the rest. */
function nameAndItems({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  const kept = Object.entries(metadata.labels ?? {}).filter(([label]) => COUNTED_LABELS.includes(label));
  const labels = kept.length > 0 && { labels: Object.fromEntries(kept) };
  return { apiVersion, kind, metadata: { ...identityMetadata(metadata), ...labels } };
}
