import { GENERATION_JOB, type GenerationJob } from '@trifold/crds';
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

/**
 * How many jobs each account has that are not finished, whoever made them, by a watch of their names alone. A count is
 * behind by what is under way at the moment; before the first list it is 0.
 */
export class LiveJobs {
  readonly #most: number;
  readonly #jobs: Informer<GenerationJob>;

  constructor({ kubernetes, clock, logger, most }: LiveJobsOptions) {
    this.#most = most;
    const client = new KubernetesClient(metadataOnly(kubernetes.transport)).resource(GENERATION_JOB);
    this.#jobs = new Informer<GenerationJob>({
      client,
      selection: { fieldSelector: UNFINISHED },
      indexes: { account: ({ metadata }) => [metadata.namespace ?? ''] },
      transform: nameOnly,
      clock,
      logger,
    });
  }

  /** Begins to count, if there is a limit. */
  start(): void {
    if (this.#most > 0) this.#jobs.start();
  }

  async stop(): Promise<void> {
    await this.#jobs.stop();
  }

  /** Throws ApiError `too_many_jobs` (429) when the account may not have one more. */
  assertRoom(account: string): void {
    if (this.#most === 0 || this.#jobs.countByIndex('account', account) < this.#most) return;
    const message = `This account has ${this.#most} documents in the making, as many as it may have. Try again when some are finished.`;
    const headers = { 'retry-after': String(RETRY_AFTER_S) };
    throw new ApiError('too_many_jobs', message, { headers });
  }
}

/** Labels and annotations may be many times as large as what is needed. */
function nameOnly({ metadata, ...job }: GenerationJob): GenerationJob {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp } = metadata;
  return {
    ...job,
    metadata: { name, ...(namespace && { namespace }), uid, resourceVersion, generation, creationTimestamp },
  };
}
