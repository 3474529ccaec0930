import { GENERATION_JOB, isFinished, type GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { settleAll, type Wait, type WaitOutcome } from './job-waiters.ts';

interface Followed {
  readonly jobs: Informer<GenerationJob>;
  readonly waits: Set<(outcome: WaitOutcome) => void>;
  look(): void;
}

/**
 * Waits for jobs that another request or another gateway already waits for. Each job has its own watch while at least
 * one request follows it.
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

  /** Starts to wait for an existing job, for at most `mostMs`. */
  begin(account: string, name: string, mostMs: number): Wait {
    const key = `${account}/${name}`;
    const followed = this.#followed.get(key) ?? this.#follow(account, name);
    this.#followed.set(key, followed);
    const { promise, resolve } = Promise.withResolvers<WaitOutcome>();
    const settle = (outcome: WaitOutcome) => {
      cancelTimer();
      resolve(outcome);
      if (!followed.waits.delete(settle) || followed.waits.size > 0) return;
      this.#followed.delete(key);
      void followed.jobs.stop();
    };
    const cancelTimer = this.#clock.schedule(mostMs, () => settle(undefined));
    followed.waits.add(settle);
    followed.look();
    return { outcome: promise, cancel: () => settle(undefined) };
  }

  /** Ends every wait, so that the requests return the current state. */
  cancelAll(): void {
    for (const { waits } of this.#followed.values()) settleAll(waits, undefined);
  }

  #follow(namespace: string, name: string): Followed {
    const jobs = new Informer<GenerationJob>({
      client: this.#kubernetes.resource<GenerationJob>(GENERATION_JOB),
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
      clock: this.#clock,
      logger: this.#logger,
    });
    const waits: Followed['waits'] = new Set();
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
