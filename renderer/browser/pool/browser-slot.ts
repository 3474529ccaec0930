import { systemClock, type Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { AccountContexts, type PageInContext } from './account-contexts.ts';
import type { BrowserLimits } from './browser-limits.ts';
import type { Browser } from '../process/browser.ts';
import type { DocumentPage, PrintSettings } from '../page/document-page.ts';
import type { DocumentPermissions } from '../page/document-requests.ts';
import { PrintError } from '../page/print-error.ts';
import { watchBrowser } from './stuck-browser.ts';

export interface BrowserSlotOptions {
  readonly launch: () => Promise<Browser>;
  readonly limits: BrowserLimits;
  /** Document permissions. @default none */
  readonly permissions?: DocumentPermissions | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the slot can accept a document. */
  readonly onFree: (slot: BrowserSlot) => void;
  /** Called when a free slot's browser has died; `onFree` follows when it is replaced. */
  readonly onLost: (slot: BrowserSlot) => void;
  /** Whether documents are waiting; cleanup is then postponed. */
  readonly hasWaiting: () => boolean;
}

/** Milliseconds that a new browser has for its first document before it is killed. */
const WARM_UP_MS = 30_000;
/**
 * Milliseconds that the browser has for cleanup before it is killed. This process handles the finished document in the
 * meantime.
 */
const TIDY_MS = 5000;
/** The memory limit while a document is printed, as a multiple of the limit for idle browsers. */
const MAX_MEMORY = 2;
const MEASURE_EVERY = 50;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;

/** Every browser prints this before its first document: it loads fonts and starts the printing process. */
export const WARM_UP_HTML = `<!doctype html><html><head><meta charset="utf-8"><title>Warm-up</title>
<style>body { font-family: sans-serif } b { font-family: serif } td { border: 1px solid #888 }</style></head>
<body><h1>Warm-up</h1><b>bold</b> <i>italic</i><table><tr><td>1</td><td>2</td></tr></table></body></html>`;

export const WARM_UP_SETTINGS: PrintSettings = {
  paperWidth: 8.5,
  paperHeight: 11,
  marginTop: 0.4,
  marginRight: 0.4,
  marginBottom: 0.4,
  marginLeft: 0.4,
  printBackground: true,
};

/** A slot for one browser, which prints one document at a time; a browser that dies is replaced. */
export class BrowserSlot {
  readonly #options: BrowserSlotOptions;
  #browser: Browser | undefined;
  #contexts: AccountContexts | undefined;
  #busy = true;
  #busySince: number;
  #documents = 0;
  readonly #stopping = new AbortController();
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: BrowserSlotOptions) {
    this.#options = options;
    this.#busySince = options.clock.monotonicMs();
  }

  /** Milliseconds since the slot was reserved or its replacement started; 0 while it is free. */
  get busyMs(): number {
    if (!this.#busy || this.#stopping.signal.aborted) return 0;
    return this.#options.clock.monotonicMs() - this.#busySince;
  }

  get alive(): boolean {
    return this.#browser?.alive ?? false;
  }

  /** Process ID of the browser, for tests and logs. */
  get pid(): number | undefined {
    return this.#browser?.pid;
  }

  /** Version of the running browser. */
  get version(): string | undefined {
    return this.#browser?.version;
  }

  knows(account: string): boolean {
    return this.#contexts?.has(account) ?? false;
  }

  /** Starts the first browser and prints a page on it. Rejects when it fails to start. */
  async start(): Promise<void> {
    await this.#launch();
    this.#release();
  }

  /** Reserves the slot; the caller must then call `use`. */
  reserve(): void {
    this.#busy = true;
    this.#busySince = this.#options.clock.monotonicMs();
  }

  /**
   * Runs `use` on the account's page. Rejects with PrintError, or with the error from `use`. Does not wait for the
   * cleanup, after which the slot is free again. Kills a browser that would exhaust the machine's memory, and a hung
   * one early, so that the document has time left for a retry.
   */
  async use<T>(account: string, signal: AbortSignal, use: (page: DocumentPage) => Promise<T>): Promise<T> {
    let taken: PageInContext | undefined;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const end = (reason: PrintError) => {
      taken?.page.abort(reason);
      // A browser that cannot even open a page must not block the document any longer.
      if (!taken) reject(reason);
    };
    const onAbort = () => end(PrintError.aborted());
    const browser = this.#browser;
    const maxBytes = this.#options.limits.browserMemoryBytes * MAX_MEMORY;
    const unwatch =
      browser &&
      watchBrowser(browser, maxBytes, (problem) => {
        // Before the page is open, the memory belongs to earlier documents: the retry gets a new browser.
        end(taken || problem.retryable ? problem : PrintError.crashed());
        void browser.stop();
      });
    signal.addEventListener('abort', onAbort);
    try {
      if (!this.#contexts) throw PrintError.crashed();
      taken = await Promise.race([this.#contexts.take(account), aborted]);
      if (signal.aborted) onAbort();
      return await use(taken.page);
    } catch (error) {
      if (browser?.transport.overflowed) throw PrintError.tooLarge(browser.maxDocumentBytes);
      // Page errors are already PrintErrors.
      throw taken ? error : PrintError.of(error);
    } finally {
      unwatch?.();
      signal.removeEventListener('abort', onAbort);
      this.#documents += 1;
      this.#tidying = this.#tidy(account, taken).finally(() => this.#release());
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#discard();
    await this.#tidying;
    await this.#discard();
  }

  #release(): void {
    if (this.#stopping.signal.aborted) return;
    if (!this.alive) {
      this.#tidying = this.#replace().finally(() => this.#release());
      return;
    }
    this.#busy = false;
    this.#options.onFree(this);
  }

  /** Runs after the response and never rejects; a browser whose cleanup fails is replaced. */
  async #tidy(account: string, taken: PageInContext | undefined): Promise<void> {
    const reason = await this.#whyReplace(account, taken);
    if (reason === undefined || this.#stopping.signal.aborted) return;
    this.#options.logger.info({ reason, pid: this.pid, documents: this.#documents }, 'replacing a browser');
    await this.#replace();
  }

  async #whyReplace(account: string, taken: PageInContext | undefined): Promise<string | undefined> {
    const contexts = this.#contexts;
    if (!this.alive || !contexts) return 'died';
    if (!taken) return 'did not open a page';
    // Whatever killed one process may have killed others, so the document's retry gets a new browser.
    if (taken.page.crashed) return 'a page crashed';
    try {
      await systemClock.withTimeout(() => this.#tidyPage(contexts, account, taken), TIDY_MS);
    } catch {
      return this.alive ? 'did not clean up' : 'died';
    }
    return this.#whyWornOut();
  }

  async #whyWornOut(): Promise<string | undefined> {
    const { limits } = this.#options;
    if (this.#documents >= limits.documentsPerBrowser) return 'number of documents';
    if (this.#documents % MEASURE_EVERY !== 0) return undefined;
    const memory = (await this.#browser?.memoryBytes()) ?? 0;
    return memory > limits.browserMemoryBytes ? 'memory' : undefined;
  }

  async #tidyPage(contexts: AccountContexts, account: string, taken: PageInContext): Promise<void> {
    const { limits, hasWaiting } = this.#options;
    if (!taken.page.usable || taken.documents >= limits.documentsPerContext) {
      await contexts.drop(account);
    } else if (taken.page.needsNewDocument || !hasWaiting()) {
      // Skipped when other documents are waiting: the account's next document replaces the current one anyway.
      await taken.page.blank();
    }
    contexts.giveBack(taken);
    await contexts.trim();
    if (!hasWaiting()) contexts.prepareSpare().catch(() => undefined);
  }

  async #replace(): Promise<void> {
    await this.#discard();
    for (
      let delay = FIRST_RETRY_MS;
      !this.#stopping.signal.aborted;
      delay = Math.min(delay * 2, MAX_RETRY_MS)
    ) {
      try {
        await this.#launch();
        return;
      } catch (error) {
        this.#options.logger.error({ err: error, retryMs: delay }, 'browser failed to start');
        await this.#options.clock.sleep(delay, this.#stopping.signal);
      }
    }
  }

  async #launch(): Promise<void> {
    const { launch, limits, clock, permissions } = this.#options;
    const browser = await launch();
    if (this.#stopping.signal.aborted) return browser.stop();
    this.#browser = browser;
    this.#documents = 0;
    const contexts = new AccountContexts(browser, limits, clock, permissions);
    this.#contexts = contexts;
    void browser.exited.then(() => this.#onExit(browser));
    try {
      await systemClock.withTimeout(() => warmUp(contexts), WARM_UP_MS);
    } catch (error) {
      await this.#discard();
      throw error;
    }
  }

  /** Replaces a browser that dies while idle. One that dies during a document is replaced when the document ends. */
  #onExit(browser: Browser): void {
    if (browser !== this.#browser || this.#busy || this.#stopping.signal.aborted) return;
    this.reserve();
    this.#options.onLost(this);
    this.#options.logger.warn({ pid: browser.pid }, 'idle browser crashed');
    this.#tidying = this.#replace().finally(() => this.#release());
  }

  async #discard(): Promise<void> {
    const browser = this.#browser;
    this.#contexts?.clear();
    this.#contexts = undefined;
    this.#browser = undefined;
    await browser?.stop();
  }
}

/** A browser's first document takes ten times as long as later ones. */
async function warmUp(contexts: AccountContexts): Promise<void> {
  const { page } = await contexts.prepareSpare();
  await page.print(WARM_UP_HTML, WARM_UP_SETTINGS);
  await page.blank();
}
