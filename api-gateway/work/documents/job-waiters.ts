import { GATEWAY_LABEL, GENERATION_JOB, isFinished, type GenerationJob } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer, type InformerOptions } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { countedDocuments, HEAVY, labeledWeight } from '../admission/work-weight.ts';

/** Result of a wait: the finished job, or undefined after a timeout, a cancellation or the job's deletion. */
export type WaitOutcome = GenerationJob | undefined;

type Waits = Set<(outcome: WaitOutcome) => void>;

/** Cache of the jobs with this gateway's label. */
type JobCache = Pick<Informer<GenerationJob>, 'get' | 'forget' | 'onChange'>;

/** The waits for one job: attempts of the same request, one of which creates the job. */
interface Awaited {
  /** Whether the job has been seen; until then, its absence from the cache does not mean that it was deleted. */
  seen: boolean;
  readonly waits: Waits;
}

/** One wait, started before the job is created so that no event is missed. */
export interface Wait {
  readonly outcome: Promise<WaitOutcome>;
  /** Ends the wait without a job. */
  cancel(): void;
}

/** Requests that wait for jobs, resolved from the cache. */
export class JobWaiters {
  readonly #jobs: JobCache;
  readonly #clock: Clock;
  readonly #awaited = new Map<string, Awaited>();

  constructor(jobs: JobCache, clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
    jobs.onChange(({ namespace, name }) => this.#changed(namespace ?? '', name));
  }

  /** Number of waiting requests. */
  get size(): number {
    return Array.from(this.#awaited.values()).reduce((sum, { waits }) => sum + waits.size, 0);
  }

  /** Starts waiting for a job, for at most `maxMs`. */
  begin(account: string, name: string, maxMs: number): Wait {
    const key = `${account}/${name}`;
    const awaited = this.#awaited.get(key) ?? { seen: false, waits: new Set() };
    this.#awaited.set(key, awaited);
    return waitIn(awaited.waits, this.#clock, maxMs, () => this.#awaited.delete(key));
  }

  /** Ends every wait, so that requests return the current state. */
  cancelAll(): void {
    for (const { waits } of this.#awaited.values()) settleAll(waits, undefined);
  }

  #changed(account: string, name: string): void {
    const awaited = this.#awaited.get(`${account}/${name}`);
    const job = this.#jobs.get(account, name);
    if (awaited && job) {
      awaited.seen = true;
      if (isFinished(job)) settleAll(awaited.waits, job);
    } else if (awaited?.seen) {
      settleAll(awaited.waits, undefined);
    }
    // Finished jobs are kept on the server for several minutes; here they would use most of the process's memory.
    if (job && isFinished(job) && !this.#awaited.has(`${account}/${name}`)) this.#jobs.forget(account, name);
  }
}

const MAX_FOLLOWED = BOUNDS.followedDocuments.limit.value;
const NO_WAIT: Wait = { outcome: Promise.resolve(undefined), cancel: () => undefined };

interface Followed {
  readonly jobs: Informer<GenerationJob>;
  readonly waits: Waits;
  look(): void;
}

/**
 * Waits for jobs that another request or another gateway is already waiting for. Each job has its own watch while at
 * least one request follows it.
 */
export class JobFollowers {
  readonly #kubernetes: KubernetesClient;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #followed = new Map<string, Followed>();

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    this.#kubernetes = kubernetes;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Starts waiting for an existing job, for at most `maxMs`; does not wait if the account already follows too many
   * others.
   */
  begin(account: string, name: string, maxMs: number): Wait {
    const key = `${account}/${name}`;
    const known = this.#followed.get(key);
    if (!known && this.#countOf(account) >= MAX_FOLLOWED) return NO_WAIT;
    const followed = known ?? this.#follow(account, name);
    this.#followed.set(key, followed);
    const wait = waitIn(followed.waits, this.#clock, maxMs, () => {
      this.#followed.delete(key);
      void followed.jobs.stop();
    });
    followed.look();
    return wait;
  }

  /** Ends every wait, so that requests return the current state. */
  cancelAll(): void {
    for (const { waits } of this.#followed.values()) settleAll(waits, undefined);
  }

  #countOf(account: string): number {
    let count = 0;
    for (const key of this.#followed.keys()) if (key.startsWith(`${account}/`)) count += 1;
    return count;
  }

  #follow(namespace: string, name: string): Followed {
    const jobs = new Informer<GenerationJob>({
      client: this.#kubernetes.resource<GenerationJob>(GENERATION_JOB),
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
      clock: this.#clock,
      logger: this.#logger,
    });
    const waits: Waits = new Set();
    const look = () => {
      if (!jobs.hasSynced) return;
      const job = jobs.get(namespace, name);
      if (!job || isFinished(job)) settleAll(waits, job);
    };
    jobs.onChange(look);
    // Rejects when the last wait has ended.
    jobs.synced().then(look, () => undefined);
    jobs.start();
    return { jobs, waits, look };
  }
}

/** Adds a wait of at most `maxMs`. Calls `ended` when the last wait in the set has ended. */
function waitIn(waits: Waits, clock: Clock, maxMs: number, ended: () => void): Wait {
  const { promise, resolve } = Promise.withResolvers<WaitOutcome>();
  const settle = (outcome: WaitOutcome) => {
    cancelTimer();
    resolve(outcome);
    if (waits.delete(settle) && waits.size === 0) ended();
  };
  const cancelTimer = clock.schedule(maxMs, () => settle(undefined));
  waits.add(settle);
  return { outcome: promise, cancel: () => settle(undefined) };
}

/** Settles every wait; each removes itself from the set. */
function settleAll(waits: Waits, outcome: WaitOutcome): void {
  for (const settle of waits) settle(outcome);
}

/** Index of unfinished jobs by account. */
const UNFINISHED = 'unfinished';

/** Cache of the jobs that this gateway waits for, without their data and options. */
export class OwnJobs extends Informer<GenerationJob> {
  readonly gateway: string;

  /** `gateway`: the gateway's label value. */
  constructor(kubernetes: KubernetesClient, gateway: string, clock: Clock, logger: Logger) {
    super({
      client: emptyAtFirst(kubernetes.resource<GenerationJob>(GENERATION_JOB)),
      selection: { labelSelector: `${GATEWAY_LABEL}=${gateway}` },
      inOnePiece: true,
      indexes: {
        [UNFINISHED]: (job) => (isFinished(job) ? [] : [job.metadata.namespace ?? '']),
        [HEAVY]: (job) => (isFinished(job) || labeledWeight(job) === 1 ? [] : [job.metadata.namespace ?? '']),
      },
      transform: withoutInput,
      clock,
      logger,
    });
    this.gateway = gateway;
  }

  /** Whether the object's label names this gateway. */
  isOwn({ metadata }: Pick<GenerationJob, 'metadata'>): boolean {
    return metadata.labels?.[GATEWAY_LABEL] === this.gateway;
  }

  /** Number of documents that an account's unfinished jobs count as. */
  countUnfinished(account: string): number {
    return countedDocuments(this, account, UNFINISHED);
  }
}

/**
 * The first list has no items, because no job has a new gateway's label. To determine that, the API server would
 * examine every job, and the gateway accepts no requests until the list is complete.
 */
function emptyAtFirst(client: ResourceClient<GenerationJob>): InformerOptions<GenerationJob>['client'] {
  let isFirst = true;
  return {
    kind: client.kind,
    async list(options) {
      if (!isFirst) return client.list(options);
      const { resourceVersion } = await client.list({ limit: 1 });
      isFirst = false;
      return { items: [], resourceVersion, continue: undefined, remainingItemCount: undefined };
    },
    watch: async (...request) => client.watch(...request),
  };
}

/** Waiters need a job's outcome, not what it renders. */
function withoutInput(job: GenerationJob): GenerationJob {
  const { data: _data, options: _options, template: _template, ...spec } = job.spec;
  return { ...job, spec };
}
