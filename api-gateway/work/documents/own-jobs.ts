import { GATEWAY_LABEL, GENERATION_JOB, isFinished, type GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';

/** Index of the unfinished jobs by account. */
const UNFINISHED = 'unfinished';

export interface OwnJobsOptions {
  readonly kubernetes: KubernetesClient;
  /** Label value of the gateway. */
  readonly gateway: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Cache of the jobs that this gateway waits for, without their data. */
export class OwnJobs extends Informer<GenerationJob> {
  readonly gateway: string;

  constructor({ kubernetes, gateway, clock, logger }: OwnJobsOptions) {
    super({
      client: kubernetes.resource<GenerationJob>(GENERATION_JOB),
      selection: { labelSelector: `${GATEWAY_LABEL}=${gateway}` },
      inOnePiece: true,
      indexes: {
        [UNFINISHED]: (job) => (isFinished(job) ? [] : [job.metadata.namespace ?? '']),
      },
      transform: withoutData,
      clock,
      logger,
    });
    this.gateway = gateway;
  }

  /** Whether the label of an object names this gateway. */
  isOwn({ metadata }: Pick<GenerationJob, 'metadata'>): boolean {
    return metadata.labels?.[GATEWAY_LABEL] === this.gateway;
  }

  /** Number of unfinished jobs of an account. */
  countUnfinished(account: string): number {
    return this.countByIndex(UNFINISHED, account);
  }
}

/** Waiters need the outcome of a job, not its data. */
function withoutData(job: GenerationJob): GenerationJob {
  const { data: _data, ...spec } = job.spec;
  return { ...job, spec };
}
