import { Caches } from './caches.ts';
import { contextOf, type ControllerContext, type ControllersDependencies, type Process } from './context.ts';
import { expiredFiles } from './expired-files/expired-files.ts';
import { FinishedWork } from './finished-work/finished-work.ts';
import { templateControllers } from './templates/template-controllers.ts';
import { Usage } from './usage/usage.ts';
import { Webhooks } from './webhooks/webhooks.ts';
import { UnfinishedWork } from './work/unfinished-work.ts';

/** Creates the controllers. Nothing runs before `start`. */
export function createControllers(dependencies: ControllersDependencies): Controllers {
  const context = contextOf(dependencies);
  const caches = new Caches(context);
  const webhooks = new Webhooks(context, caches);
  const usage = new Usage(context, caches);
  const finished = new FinishedWork(context, caches, usage.reports, webhooks.outbox);
  const unfinished = new UnfinishedWork(context, caches, webhooks.subscriptions, finished.limit);
  const templates = [...templateControllers(context, caches), expiredFiles(context, caches)];
  return new Controllers(
    context,
    caches,
    [unfinished, webhooks.publication],
    [
      { fill: () => caches.fillTemplates(), processes: templates },
      { fill: () => caches.fillPast(), processes: [finished, usage, webhooks] },
    ],
  );
}

/** Processes that start once their caches are filled. */
interface Following {
  readonly fill: () => Promise<void>;
  readonly processes: readonly Process[];
}

/** All controllers, started and stopped together. */
export class Controllers {
  readonly #context: ControllerContext;
  readonly #caches: Caches;
  readonly #first: readonly Process[];
  /** The other processes. The groups do not wait for each other. */
  readonly #following: readonly Following[];
  #ready = false;
  #stopped = false;

  constructor(
    context: ControllerContext,
    caches: Caches,
    first: readonly Process[],
    following: readonly Following[],
  ) {
    this.#context = context;
    this.#caches = caches;
    this.#first = first;
    this.#following = following;
  }

  /** Whether unfinished jobs are being reconciled. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Whether the caches contain the API server's unfinished work. */
  get isWarm(): boolean {
    return this.#caches.areWarm;
  }

  /**
   * Fills the caches of unfinished work and endpoints, keeps them current, and writes nothing; a standby
   * does no more than this. Resolves when they are filled. Idempotent.
   */
  async warm(): Promise<void> {
    await this.#caches.warm();
  }

  /**
   * Warms the caches, then reconciles. Resolves when unfinished jobs are being reconciled: each is looked up in the
   * queue and the object store, whichever process dispatched it. Templates and finished work are read after that.
   */
  async start(): Promise<void> {
    await this.warm();
    if (this.#stopped) return;
    for (const process of this.#first) process.start();
    this.#ready = true;
    for (const group of this.#following) void this.#follow(group);
  }

  async #follow({ fill, processes }: Following): Promise<void> {
    try {
      await fill();
    } catch {
      // Stopped before the caches were filled.
      return;
    }
    if (this.#stopped) return;
    for (const process of processes) process.start();
  }

  /** Starts nothing new and gives in-flight work `graceMs` to finish. Unfinished jobs continue after the next start. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#ready = false;
    await Promise.all(
      [this.#first, ...this.#following.map(({ processes }) => processes)]
        .flat()
        .map((process) => process.stop(graceMs)),
    );
    await Promise.all([this.#context.events.stop(), this.#caches.stop()]);
  }
}
