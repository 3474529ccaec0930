import { isFinished, type GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/clock.ts';
import type { Informer } from '@trifold/platform/kubernetes/informer.ts';

/** What a wait ended with: the finished job, or nothing: it took too long, was given up, or the job is gone. */
export type WaitOutcome = GenerationJob | undefined;

interface Waiter {
  /** Whether the job was seen: only then does its absence from the cache mean that it was deleted. */
  seen: boolean;
  settle(outcome: WaitOutcome): void;
}

/** One wait, begun before the job is created so that nothing can be missed. */
export interface Wait {
  readonly outcome: Promise<WaitOutcome>;
  /** Ends the wait without a job. */
  cancel(): void;
}

/** Requests that wait for jobs, answered from the cache of the jobs that carry this gateway's label. */
export class JobWaiters {
  readonly #jobs: Informer<GenerationJob>;
  readonly #clock: Clock;
  readonly #waiters = new Map<string, Waiter>();

  constructor(jobs: Informer<GenerationJob>, clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
    jobs.onChange(({ namespace, name }) => this.#changed(namespace ?? '', name));
  }

  /** How many requests wait. */
  get size(): number {
    return this.#waiters.size;
  }

  /** Begins to wait for a job, at most that long. */
  begin(account: string, name: string, mostMs: number): Wait {
    const key = `${account}/${name}`;
    const { promise, resolve } = Promise.withResolvers<WaitOutcome>();
    const settle = (outcome: WaitOutcome) => {
      cancelTimer();
      this.#waiters.delete(key);
      resolve(outcome);
    };
    const cancelTimer = this.#clock.schedule(mostMs, () => settle(undefined));
    this.#waiters.set(key, { seen: false, settle });
    return { outcome: promise, cancel: () => settle(undefined) };
  }

  /** Ends every wait, so that the requests are answered with what is known. */
  cancelAll(): void {
    for (const waiter of this.#waiters.values()) waiter.settle(undefined);
  }

  #changed(account: string, name: string): void {
    const waiter = this.#waiters.get(`${account}/${name}`);
    const job = this.#jobs.get(account, name);
    if (waiter && job) {
      waiter.seen = true;
      if (isFinished(job)) waiter.settle(job);
    } else if (waiter?.seen) {
      waiter.settle(undefined);
    }
    // Finished jobs stay on the server for minutes; kept here, they would be most of this process' memory.
    if (!this.#waiters.has(`${account}/${name}`)) this.#jobs.forget(account, name);
  }
}
