import { BrowserPool, type BrowserPoolOptions } from './browser-pool.ts';
import type { DocumentPage } from '../page/document-page.ts';

export interface LazyBrowserPoolOptions extends BrowserPoolOptions {
  /** Milliseconds after the last document at which the browsers are ended. */
  readonly idleMs: number;
}

/** Browsers that are started for the first document, and ended when none has come for a while. */
export class LazyBrowserPool {
  readonly #options: LazyBrowserPoolOptions;
  #pool: BrowserPool | undefined;
  #starting: Promise<BrowserPool> | undefined;
  #ending: Promise<void> = Promise.resolve();
  #documents = 0;
  #cancelEnd: (() => void) | undefined;
  #stopped = false;

  constructor(options: LazyBrowserPoolOptions) {
    this.#options = options;
  }

  /** As BrowserPool.longestBusyMs; 0 while there is no browser. */
  get longestBusyMs(): number {
    return this.#pool?.longestBusyMs ?? 0;
  }

  /** Process ids of the browsers there are. */
  get pids(): readonly number[] {
    return this.#pool?.pids ?? [];
  }

  /** As BrowserPool.withPage; rejects with BrowserLaunchError too, when there is no browser and none starts. */
  async withPage<T>(
    account: string,
    signal: AbortSignal,
    use: (page: DocumentPage) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    this.#documents += 1;
    this.#cancelEnd?.();
    try {
      const pool = await untilAborted(this.#running(), signal);
      return await pool.withPage(account, signal, use);
    } finally {
      this.#documents -= 1;
      if (this.#documents === 0) this.#endLater();
    }
  }

  /** Kills the browsers; whoever waits is turned away. */
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
      this.#options.logger.info({ pids: this.pids }, 'stopping an unused browser for pictures');
      this.#end().catch((error: unknown) => {
        this.#options.logger.error({ err: error }, 'failed to stop a browser for pictures');
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
  return new Error('the browsers for pictures are stopped');
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
