import type { Clock } from '@trifold/platform/async/clock.ts';
import type { BrowserLimits } from './browser-limits.ts';
import { DocumentPage } from '../page/document-page.ts';
import type { DocumentPermissions } from '../page/document-requests.ts';
import type { Browser } from '../process/browser.ts';

/** A browser context and its page. Contexts share nothing: no cache, no storage, no renderer process. */
export interface PageInContext {
  readonly contextId: string;
  readonly page: DocumentPage;
  documents: number;
  usedAt: number;
  inUse: boolean;
}

/**
 * The contexts of one browser, by account. A page never changes its account; one unused page is kept ready for the next
 * new account.
 */
export class AccountContexts {
  readonly #browser: Browser;
  readonly #limits: BrowserLimits;
  readonly #clock: Clock;
  readonly #permissions: DocumentPermissions | undefined;
  /** Least recently used first. */
  readonly #contexts = new Map<string, PageInContext>();
  #spare: Promise<PageInContext> | undefined;
  #cancelSweep: (() => void) | undefined;

  constructor(browser: Browser, limits: BrowserLimits, clock: Clock, permissions?: DocumentPermissions) {
    this.#permissions = permissions;
    this.#browser = browser;
    this.#limits = limits;
    this.#clock = clock;
  }

  has(account: string): boolean {
    return this.#contexts.has(account);
  }

  /** Returns the account's page and creates it if necessary. The page is kept until it is returned or dropped. */
  async take(account: string): Promise<PageInContext> {
    const known = this.#contexts.get(account);
    const taken = known ?? (await this.#newcomer());
    this.#contexts.delete(account);
    this.#contexts.set(account, taken);
    taken.documents += 1;
    taken.inUse = true;
    this.#scheduleSweep();
    return taken;
  }

  giveBack(taken: PageInContext): void {
    taken.inUse = false;
    taken.usedAt = this.#clock.monotonicMs();
  }

  async prepareSpare(): Promise<PageInContext> {
    this.#spare ??= this.#open();
    return this.#spare;
  }

  async drop(account: string): Promise<void> {
    const browserContextId = this.#contexts.get(account)?.contextId;
    this.#contexts.delete(account);
    if (browserContextId === undefined) return;
    await this.#browser.connection.send('Target.disposeBrowserContext', { browserContextId });
  }

  async trim(): Promise<void> {
    for (const account of [...this.#contexts.keys()].slice(0, -this.#limits.contextsPerBrowser))
      await this.drop(account);
  }

  /** Forgets all contexts, because the browser is gone. */
  clear(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
    this.#contexts.clear();
    this.#spare = undefined;
  }

  async #newcomer(): Promise<PageInContext> {
    const spare = this.#spare;
    this.#spare = undefined;
    // If the spare failed to open, try again now.
    return (await spare?.catch(() => undefined)) ?? this.#open();
  }

  async #open(): Promise<PageInContext> {
    const { connection } = this.#browser;
    const options = { disposeOnDetach: true };
    const { browserContextId } = await connection.send('Target.createBrowserContext', options);
    await connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    const page = await DocumentPage.open(this.#browser, browserContextId, this.#permissions);
    return {
      contextId: browserContextId,
      page,
      documents: 0,
      usedAt: this.#clock.monotonicMs(),
      inUse: false,
    };
  }

  #scheduleSweep(): void {
    this.#cancelSweep ??= this.#clock.schedule(this.#limits.contextIdleMs, () => this.#sweep());
  }

  /** One timer for all contexts; it repeats as long as contexts exist. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const oldest = this.#clock.monotonicMs() - this.#limits.contextIdleMs;
    for (const [account, { inUse, usedAt }] of this.#contexts) {
      // A browser that exits takes its contexts with it.
      if (!inUse && usedAt <= oldest) this.drop(account).catch(() => undefined);
    }
    if (this.#contexts.size > 0) this.#scheduleSweep();
  }
}
