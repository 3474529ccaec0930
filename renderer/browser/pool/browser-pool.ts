import { AccountSlots } from '@trifold/platform/scheduling/account-slots.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import { BrowserSlot, type BrowserSlotOptions } from './browser-slot.ts';
import type { Browser } from '../process/browser.ts';
import type { DocumentPage } from '../page/document-page.ts';
import { PrintError } from '../page/print-error.ts';

export interface BrowserPoolOptions extends Omit<
  BrowserSlotOptions,
  'launch' | 'onFree' | 'onLost' | 'hasWaiting'
> {
  /** Number of browsers excluding the spare; each prints one document at a time. */
  readonly size: number;
  /** `background`: for all browsers except the spare, so that an account with nothing running here is served soon. */
  readonly launch: (kind: { readonly background: boolean }) => Promise<Browser>;
}

/**
 * Distributes documents to browsers, on pages that no other account has used. AccountSlots determines the order. The
 * spare browser starts when accounts with nothing printing are waiting.
 */
export class BrowserPool {
  readonly #slots: readonly BrowserSlot[];
  readonly #options: BrowserPoolOptions;
  readonly #accounts: AccountSlots<BrowserSlot>;

  constructor(options: BrowserPoolOptions) {
    const { size, clock } = options;
    this.#options = options;
    this.#slots = Array.from({ length: size }, () => this.#newSlot({ background: true }));
    this.#accounts = new AccountSlots({
      size,
      spare: {
        create: () => this.#newSlot({ background: false }),
        start: (slot) => this.#startSpare(slot),
        stop: (slot) => slot.stop(),
      },
      prefers: (slot, account) => slot.knows(account),
      clock,
    });
  }

  /** Starts all browsers and prints a page on each. Rejects, after stopping all of them, when one fails to start. */
  async start(): Promise<void> {
    const started = await Promise.allSettled(this.#slots.map((slot) => slot.start()));
    const failed = started.find((result) => result.status === 'rejected');
    if (!failed) return;
    await this.stop();
    throw failed.reason;
  }

  get alive(): boolean {
    return this.#all.some((slot) => slot.alive);
  }

  /** Version of the browsers, once they are running. */
  get version(): string | undefined {
    return this.#slots[0]?.version;
  }

  /** Longest time in milliseconds that a browser has been printing one document or being replaced. */
  get longestBusyMs(): number {
    return Math.max(...this.#all.map((slot) => slot.busyMs));
  }

  get pids(): readonly number[] {
    return this.#all.flatMap((slot) => slot.pid ?? []);
  }

  /**
   * Runs `use` on one of the account's pages. Rejects with PrintError, or with the signal's reason when it is aborted
   * before a page is free. An abort during `use` closes the page, and kills the browser if the page does not close.
   */
  async withPage<T>(
    account: string,
    signal: AbortSignal,
    use: (page: DocumentPage) => Promise<T>,
    priority?: Priority,
  ): Promise<T> {
    return this.#accounts.run({ account, signal, priority }, (slot) => {
      slot.reserve();
      return slot.use(account, signal, use);
    });
  }

  /** Kills the browsers and rejects waiting documents. */
  async stop(): Promise<void> {
    await Promise.all([this.#accounts.stop(PrintError.aborted()), ...this.#slots.map((slot) => slot.stop())]);
  }

  get #all(): readonly BrowserSlot[] {
    const { spare } = this.#accounts;
    return spare ? [...this.#slots, spare] : this.#slots;
  }

  #newSlot(kind: { readonly background: boolean }): BrowserSlot {
    return new BrowserSlot({
      ...this.#options,
      launch: () => this.#options.launch(kind),
      onFree: (slot) => this.#accounts.offer(slot),
      onLost: (slot) => this.#accounts.withdraw(slot),
      hasWaiting: () => this.#accounts.waiting > 0,
    });
  }

  async #startSpare(slot: BrowserSlot): Promise<void> {
    try {
      await slot.start();
    } catch (error) {
      this.#options.logger.error({ err: error }, 'additional browser failed to start');
      throw error;
    }
  }
}
