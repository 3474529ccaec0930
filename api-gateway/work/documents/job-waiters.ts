import { isFinished, type GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';

/** Result of a wait: the finished job, or undefined after a timeout, a cancellation or the deletion of the job. */
export type WaitOutcome = GenerationJob | undefined;

/** Cache of the jobs with this gateway's label. */
type JobCache = Pick<Informer<GenerationJob>, 'get' | 'forget' | 'onChange'>;

/** Waits for one job: attempts of the same request, one of which creates the job. */
interface Awaited {
  /** Whether the job was seen; before that, its absence from the cache does not mean that it was deleted. */
  seen: boolean;
  readonly waits: Set<(outcome: WaitOutcome) => void>;
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

  /** Starts to wait for a job, for at most `mostMs`. */
  begin(account: string, name: string, mostMs: number): Wait {
    const key = `${account}/${name}`;
    const awaited = this.#awaited.get(key) ?? { seen: false, waits: new Set() };
    this.#awaited.set(key, awaited);
    const { promise, resolve } = Promise.withResolvers<WaitOutcome>();
    const settle = (outcome: WaitOutcome) => {
      cancelTimer();
      resolve(outcome);
      if (awaited.waits.delete(settle) && awaited.waits.size === 0) this.#awaited.delete(key);
    };
    const cancelTimer = this.#clock.schedule(mostMs, () => settle(undefined));
    awaited.waits.add(settle);
    return { outcome: promise, cancel: () => settle(undefined) };
  }

  /** Ends every wait, so that the requests return the current state. */
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
    // Finished jobs stay on the server for minutes; in this cache they would use most of the memory of the process.
    if (job && isFinished(job) && !this.#awaited.has(`${account}/${name}`)) this.#jobs.forget(account, name);
  }
}

/** Settles every wait; each one removes itself from the set. */
export function settleAll(waits: ReadonlySet<(outcome: WaitOutcome) => void>, outcome: WaitOutcome): void {
  for (const settle of waits) settle(outcome);
}
