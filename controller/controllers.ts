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
  const templates = templateControllers(context, caches);
  const first = [unfinished, ...templates, expiredFiles(context, caches), webhooks.publication];
  return new Controllers(context, caches, first, [finished, usage, webhooks]);
}

/** All controllers, started and stopped together. */
export class Controllers {
  readonly #context: ControllerContext;
  readonly #caches: Caches;
  readonly #first: readonly Process[];
  /** Processes that handle finished documents. */
  readonly #following: readonly Process[];
  #ready = false;
  #stopped = false;

  constructor(
    context: ControllerContext,
    caches: Caches,
    first: readonly Process[],
    following: readonly Process[],
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

  /** Whether the caches hold the API server's unfinished work. */
  get isWarm(): boolean {
    return this.#caches.areWarm;
  }

  /**
   * Fills the caches of unfinished work, templates and endpoints, keeps them current, and writes nothing; a standby
   * does no more than this. Resolves when they are filled. Idempotent.
   */
  async warm(): Promise<void> {
    await this.#caches.warm();
  }

  /**
   * Warms the caches, then reconciles. Resolves when unfinished jobs are being reconciled: each is looked up in the
   * queue and the object store, whichever process dispatched it. Finished work is read after that.
   */
  async start(): Promise<void> {
    await this.warm();
    if (this.#stopped) return;
    for (const process of this.#first) process.start();
    this.#ready = true;
    void this.#follow();
  }

  /** Starts the processes that handle finished documents, once finished work is cached. */
  async #follow(): Promise<void> {
    try {
      await this.#caches.fillPast();
    } catch {
      // Stopped before the caches were filled.
      return;
    }
    if (this.#stopped) return;
    for (const process of this.#following) process.start();
  }

  /** Starts nothing new and gives in-flight work `graceMs` to finish. Unfinished jobs continue after the next start. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#ready = false;
    await Promise.all([...this.#first, ...this.#following].map((process) => process.stop(graceMs)));
    await Promise.all([this.#context.events.stop(), this.#caches.stop()]);
  }
}
