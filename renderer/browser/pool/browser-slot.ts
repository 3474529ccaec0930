import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { patientTimeout } from '@trifold/platform/child-process/patient-timeout.ts';
import { AccountContexts, type PageInContext } from './account-contexts.ts';
import type { BrowserLimits } from './browser-limits.ts';
import type { BrowserProcess } from '../process/browser-process.ts';
import type { DocumentPage } from '../page/document-page.ts';
import type { DocumentPermissions } from '../page/document-permissions.ts';
import { groupMemoryBytes } from '../process/group-memory.ts';
import { watchLiveness } from '../process/liveness-watch.ts';
import { watchMemory } from '../process/memory-watch.ts';
import { PrintError } from '../page/print-error.ts';
import { WARM_UP_HTML, WARM_UP_SETTINGS } from './warm-up.ts';

export interface BrowserSlotOptions {
  readonly launch: () => Promise<BrowserProcess>;
  readonly limits: BrowserLimits;
  /** @default nothing */
  readonly permissions?: DocumentPermissions | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the slot can take a document. */
  readonly onFree: (slot: BrowserSlot) => void;
  /** Whether documents wait; then cleaning up is put off. */
  readonly hasWaiting: () => boolean;
}

/** How long a new browser may take for its first document before it is killed. */
const WARM_UP_MS = 30_000;
/** How long the browser may take to tidy up before it is killed. This process is busy with the document meanwhile. */
const TIDY_MS = 5000;
/** With one document in hand a browser may hold so many times the memory at which it is replaced without one. */
const MOST_MEMORY = 2;
/** A browser's memory is measured every so many documents. */
const MEASURE_EVERY = 50;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;

/** A place for one browser, which prints one document at a time; a browser that dies is replaced. */
export class BrowserSlot {
  readonly #options: BrowserSlotOptions;
  #browser: BrowserProcess | undefined;
  #contexts: AccountContexts | undefined;
  #busy = true;
  #busySince: Date;
  #stopped = false;
  #documents = 0;
  #cancelRetry: (() => void) | undefined;
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: BrowserSlotOptions) {
    this.#options = options;
    this.#busySince = options.clock.now();
  }

  /** For how long it has been in one hand or being replaced, in milliseconds; 0 while it is free. */
  get busyMs(): number {
    if (!this.#busy || this.#stopped) return 0;
    return this.#options.clock.now().getTime() - this.#busySince.getTime();
  }

  /** Whether a document can be printed now. */
  get free(): boolean {
    return !this.#busy && this.alive;
  }

  get alive(): boolean {
    return this.#browser?.alive ?? false;
  }

  /** The browser's process, for tests and logs. */
  get pid(): number | undefined {
    return this.#browser?.pid;
  }

  /** Whether the account has a page here. */
  knows(account: string): boolean {
    return this.#contexts?.has(account) ?? false;
  }

  /** Starts the first browser and prints on it. Rejects when it does not start. */
  async start(): Promise<void> {
    await this.#launch();
    this.#release();
  }

  /** Reserves the slot; `use` must follow. */
  reserve(): void {
    this.#busy = true;
    this.#busySince = this.#options.clock.now();
  }

  /**
   * Runs `use` on the account's page. Rejects with PrintError, or with what `use` rejects. The slot is free again
   * after it has tidied up, for which the caller does not wait. A browser that hangs is ended while the document has
   * time left for another.
   */
  async use<T>(account: string, signal: AbortSignal, use: (page: DocumentPage) => Promise<T>): Promise<T> {
    let taken: PageInContext | undefined;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const end = (reason: PrintError) => {
      taken?.page.abort(reason);
      // A browser that does not even give a page must not hold the document longer.
      if (!taken) reject(reason);
    };
    const onAbort = () => end(PrintError.aborted());
    const browser = this.#browser;
    const unwatch = watchLiveness(browser?.connection, () => {
      end(PrintError.hung());
      void browser?.stop();
    });
    signal.addEventListener('abort', onAbort);
    try {
      if (!this.#contexts) throw PrintError.crashed();
      taken = await Promise.race([this.#contexts.take(account), aborted]);
      if (signal.aborted) onAbort();
      return await this.#bounded(taken.page, use);
    } catch (error) {
      if (browser?.overflowed) throw PrintError.tooLarge();
      // Of its own commands the page tells as PrintError.
      throw taken ? error : PrintError.of(error);
    } finally {
      unwatch();
      signal.removeEventListener('abort', onAbort);
      this.#documents += 1;
      this.#tidying = this.#tidy(account, taken).finally(() => this.#release());
    }
  }

  /** What fills the memory takes everything else on the machine with it: its browser is ended before that. */
  async #bounded<T>(page: DocumentPage, use: (page: DocumentPage) => Promise<T>): Promise<T> {
    const browser = this.#browser;
    const mostBytes = this.#options.limits.browserMemoryBytes * MOST_MEMORY;
    const unwatch = watchMemory(browser?.pid ?? 0, mostBytes, () => {
      page.abort(PrintError.tooMuchMemory(mostBytes));
      void browser?.stop();
    });
    try {
      return await use(page);
    } finally {
      unwatch();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRetry?.();
    await this.#discard();
    await this.#tidying;
    await this.#discard();
  }

  #release(): void {
    if (this.#stopped) return;
    if (!this.alive) {
      this.#tidying = this.#replace().finally(() => this.#release());
      return;
    }
    this.#busy = false;
    this.#options.onFree(this);
  }

  /** After the answer: never rejects; what cannot be tidied up is replaced. */
  async #tidy(account: string, taken: PageInContext | undefined): Promise<void> {
    const reason = await this.#whyReplace(account, taken);
    if (reason === undefined || this.#stopped) return;
    this.#options.logger.info({ reason, pid: this.pid, documents: this.#documents }, 'replacing a browser');
    await this.#replace();
  }

  async #whyReplace(account: string, taken: PageInContext | undefined): Promise<string | undefined> {
    if (!this.alive || !this.#contexts) return 'died';
    if (!taken) return 'gave no page';
    // What killed one of its processes may have killed others: the document's next attempt finds a new browser.
    if (taken.page.crashed) return 'a page died';
    try {
      await within(TIDY_MS, this.#tidyPage(this.#contexts, account, taken));
    } catch {
      return this.alive ? 'did not tidy up' : 'died';
    }
    return this.#whyWornOut();
  }

  async #whyWornOut(): Promise<string | undefined> {
    const { limits } = this.#options;
    if (this.#documents >= limits.documentsPerBrowser) return 'number of documents';
    if (this.#documents % MEASURE_EVERY !== 0) return undefined;
    const memory = await groupMemoryBytes(this.pid ?? 0);
    return memory > limits.browserMemoryBytes ? 'memory' : undefined;
  }

  async #tidyPage(contexts: AccountContexts, account: string, taken: PageInContext): Promise<void> {
    const { limits, hasWaiting } = this.#options;
    if (!taken.page.usable || taken.documents >= limits.documentsPerContext) {
      await contexts.drop(account);
    } else if (taken.page.stained || !hasWaiting()) {
      // With others waiting, the account's next document takes the place of this one just as well.
      await taken.page.blank();
    }
    contexts.giveBack(taken);
    await contexts.trim();
    if (!hasWaiting()) contexts.prepareSpare().catch(() => undefined);
  }

  async #replace(): Promise<void> {
    await this.#discard();
    for (let delay = FIRST_RETRY_MS; !this.#stopped; delay = Math.min(delay * 2, LONGEST_RETRY_MS)) {
      try {
        await this.#launch();
        return;
      } catch (error) {
        this.#options.logger.error({ err: error, retryMs: delay }, 'browser failed to start');
        await this.#pause(delay);
      }
    }
  }

  async #launch(): Promise<void> {
    const { launch, limits, clock, permissions } = this.#options;
    const browser = await launch();
    if (this.#stopped) return browser.stop();
    this.#browser = browser;
    this.#documents = 0;
    const contexts = new AccountContexts(browser, limits, clock, permissions);
    this.#contexts = contexts;
    void browser.exited.then(() => this.#onExit(browser));
    try {
      await within(WARM_UP_MS, warmUp(contexts));
    } catch (error) {
      await this.#discard();
      throw error;
    }
  }

  /** A browser that dies while nothing is printed is replaced at once; one that prints, by the document's end. */
  #onExit(browser: BrowserProcess): void {
    if (browser !== this.#browser || this.#busy || this.#stopped) return;
    this.reserve();
    this.#options.logger.warn({ pid: browser.pid }, 'idle browser died');
    this.#tidying = this.#replace().finally(() => this.#release());
  }

  async #discard(): Promise<void> {
    const browser = this.#browser;
    this.#contexts?.clear();
    this.#contexts = undefined;
    this.#browser = undefined;
    await browser?.stop();
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.schedule(milliseconds, resolve);
    this.#cancelRetry = () => {
      cancel();
      resolve();
    };
    await promise;
  }
}

/** The first document of a browser takes ten times as long as those after it. */
async function warmUp(contexts: AccountContexts): Promise<void> {
  const { page } = await contexts.prepareSpare();
  await page.print(WARM_UP_HTML, WARM_UP_SETTINGS);
  await page.blank();
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = patientTimeout(milliseconds, () => reject(new Error(`not done within ${milliseconds} ms`)));
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
