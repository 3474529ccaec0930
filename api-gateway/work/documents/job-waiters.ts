import { isFinished, type GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';

/** What a wait ended with: the finished job, or nothing: it took too long, was given up, or the job is gone. */
export type WaitOutcome = GenerationJob | undefined;

/** The jobs that carry this gateway's label. */
type JobCache = Pick<Informer<GenerationJob>, 'get' | 'forget' | 'onChange'>;

/** Those who wait for one job: sendings of the same request, of which one creates it. */
interface Awaited {
  /** Whether the job was seen: only then does its absence from the cache mean that it was deleted. */
  seen: boolean;
  readonly waits: Set<(outcome: WaitOutcome) => void>;
}

/** One wait, begun before the job is created so that nothing can be missed. */
export interface Wait {
  readonly outcome: Promise<WaitOutcome>;
  /** Ends the wait without a job. */
  cancel(): void;
}

/** Requests that wait for jobs, answered from the cache. */
export class JobWaiters {
  readonly #jobs: JobCache;
  readonly #clock: Clock;
  readonly #awaited = new Map<string, Awaited>();

  constructor(jobs: JobCache, clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
    jobs.onChange(({ namespace, name }) => this.#changed(namespace ?? '', name));
  }

  /** How many requests wait. */
  get size(): number {
    return Array.from(this.#awaited.values()).reduce((sum, { waits }) => sum + waits.size, 0);
  }

  /** Begins to wait for a job, at most that long. */
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

  /** Ends every wait, so that the requests are answered with what is known. */
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
    // Finished jobs stay on the server for minutes; kept here, they would be most of this process' memory.
    if (!this.#awaited.has(`${account}/${name}`)) this.#jobs.forget(account, name);
  }
}

/** Each takes itself out. */
export function settleAll(waits: ReadonlySet<(outcome: WaitOutcome) => void>, outcome: WaitOutcome): void {
  for (const settle of waits) settle(outcome);
}
