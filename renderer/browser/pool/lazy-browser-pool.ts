import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import { abortable } from '@trifold/platform/async/abortable.ts';
import { BrowserPool, type BrowserPoolOptions } from './browser-pool.ts';
import type { DocumentPage } from '../page/document-page.ts';

/** A browser pool that starts for the first document and stops after an idle period. */
export class LazyBrowserPool {
  readonly #options: BrowserPoolOptions & { readonly idleMs: number };
  #pool: BrowserPool | undefined;
  #starting: Promise<BrowserPool> | undefined;
  #ending: Promise<void> = Promise.resolve();
  #documents = 0;
  #cancelEnd: (() => void) | undefined;
  #stopped = false;

  /** `idleMs`: idle milliseconds after which the browsers are stopped. */
  constructor(options: BrowserPoolOptions & { readonly idleMs: number }) {
    this.#options = options;
  }

  /** Same as BrowserPool.longestBusyMs; 0 while no browser is running. */
  get longestBusyMs(): number {
    return this.#pool?.longestBusyMs ?? 0;
  }

  get pids(): readonly number[] {
    return this.#pool?.pids ?? [];
  }

  /** Same as BrowserPool.withPage; also rejects with BrowserLaunchError when no browser is running and none starts. */
  async withPage<T>(
    account: string,
    signal: AbortSignal,
    use: (page: DocumentPage) => Promise<T>,
    priority?: Priority,
  ): Promise<T> {
    signal.throwIfAborted();
    this.#documents += 1;
    this.#cancelEnd?.();
    try {
      const pool = await abortable(this.#running(), signal);
      return await pool.withPage(account, signal, use, priority);
    } finally {
      this.#documents -= 1;
      if (this.#documents === 0) this.#endLater();
    }
  }

  /** Kills the browsers and rejects waiting documents. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelEnd?.();
    const starting = this.#starting;
    await Promise.all([this.#end(), starting?.catch(() => undefined)]);
  }

  #running(): Promise<BrowserPool> {
    if (this.#stopped) return Promise.reject(stopped());
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  async #start(): Promise<BrowserPool> {
    await this.#ending;
    if (this.#stopped) throw stopped();
    const pool = new BrowserPool(this.#options);
    this.#pool = pool;
    await pool.start();
    return pool;
  }

  #endLater(): void {
    if (this.#stopped) return;
    this.#cancelEnd = this.#options.clock.schedule(this.#options.idleMs, () => {
      this.#options.logger.info({ pids: this.pids }, 'stopping an unused browser');
      this.#end().catch((error: unknown) => {
        this.#options.logger.error({ err: error }, 'failed to stop an unused browser');
      });
    });
  }

  #end(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    this.#starting = undefined;
    if (pool) this.#ending = this.#ending.then(() => pool.stop());
    return this.#ending;
  }
}

function stopped(): Error {
  return new Error('the browsers are stopped');
}
