import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import type { BrowserLimits } from './browser-limits.ts';
import type { Browser } from '../process/browser.ts';
import { BrowserSlot } from './browser-slot.ts';
import type { DocumentPage } from '../page/document-page.ts';
import type { DocumentPermissions } from '../page/document-permissions.ts';
import { PrintError } from '../page/print-error.ts';

export interface BrowserPoolOptions {
  readonly launch: () => Promise<Browser>;
  /** Number of browsers; each prints one document at a time. */
  readonly size: number;
  /** Maximum number of additional browsers; one starts when a document has waited for a while. @default 0 */
  readonly spares?: number;
  readonly limits: BrowserLimits;
  /** What documents may do. @default nothing */
  readonly permissions?: DocumentPermissions | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Milliseconds that a document waits before an additional browser starts, if the pool may grow. */
const GROW_AFTER_MS = 500;
/** Number of interactive documents that may overtake a waiting document. */
const MOST_OVERTAKES = 4;

interface Waiting {
  readonly isInteractive: boolean;
  /** Number of documents that have overtaken it. */
  overtakes: number;
  readonly resolve: (slot: BrowserSlot) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Distributes documents to browsers, on pages that no other account has used. First come, first served, except that
 * interactive documents overtake others, a few times at most.
 */
export class BrowserPool {
  readonly #slots: BrowserSlot[];
  readonly #mostSlots: number;
  readonly #options: BrowserPoolOptions;
  readonly #waiting = new Set<Waiting>();
  #growing: Promise<void> | undefined;
  #stopped = false;

  constructor(options: BrowserPoolOptions) {
    const { size, spares = 0 } = options;
    this.#options = options;
    this.#mostSlots = size + spares;
    this.#slots = Array.from({ length: size }, () => this.#newSlot());
  }

  /** Starts all browsers and prints a page on each. Rejects, after stopping all of them, when one fails to start. */
  async start(): Promise<void> {
    const started = await Promise.allSettled(this.#slots.map((slot) => slot.start()));
    const failed = started.find((result) => result.status === 'rejected');
    if (!failed) return;
    await this.stop();
    throw failed.reason;
  }

  /** Whether at least one browser runs. */
  get alive(): boolean {
    return this.#slots.some((slot) => slot.alive);
  }

  /** Longest time in milliseconds that a browser has been printing one document or been replaced. */
  get longestBusyMs(): number {
    return Math.max(...this.#slots.map((slot) => slot.busyMs));
  }

  /** Process ids of the browsers. */
  get pids(): readonly number[] {
    return this.#slots.flatMap((slot) => slot.pid ?? []);
  }

  /**
   * Runs `use` on a page of the account. Rejects with PrintError, or with the signal's reason when it is aborted before
   * a page is free. An abort during `use` closes the page, and kills the browser if the page does not close.
   */
  async withPage<T>(
    account: string,
    signal: AbortSignal,
    use: (page: DocumentPage) => Promise<T>,
    priority: Priority = 'interactive',
  ): Promise<T> {
    signal.throwIfAborted();
    const slot = this.#freeSlot(account) ?? (await this.#wait(priority === 'interactive', signal));
    slot.reserve();
    return slot.use(account, signal, use);
  }

  /** Kills the browsers and rejects waiting documents. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { reject } of this.#waiting) reject(PrintError.aborted());
    this.#waiting.clear();
    await Promise.all(this.#slots.map((slot) => slot.stop()));
    await this.#growing;
  }

  #newSlot(): BrowserSlot {
    const onFree = (slot: BrowserSlot) => this.#serve(slot);
    const hasWaiting = () => this.#waiting.size > 0;
    return new BrowserSlot({ ...this.#options, onFree, hasWaiting });
  }

  #freeSlot(account: string): BrowserSlot | undefined {
    const free = this.#slots.filter((slot) => slot.free);
    return free.find((slot) => slot.knows(account)) ?? free[0];
  }

  async #wait(isInteractive: boolean, signal: AbortSignal): Promise<BrowserSlot> {
    if (this.#stopped) throw PrintError.aborted();
    const { promise, resolve, reject } = Promise.withResolvers<BrowserSlot>();
    const waiting: Waiting = { isInteractive, overtakes: 0, resolve, reject };
    const onAbort = () => {
      this.#waiting.delete(waiting);
      reject(signal.reason);
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', onAbort);
    const cancel = this.#growIfStillWaiting(waiting);
    return promise.finally(() => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    });
  }

  /** A slow document must not block the others for as long as it runs. */
  #growIfStillWaiting(waiting: Waiting): () => void {
    if (this.#slots.length >= this.#mostSlots) return () => undefined;
    return this.#options.clock.schedule(GROW_AFTER_MS, () => {
      if (this.#waiting.has(waiting))
        this.#growing ??= this.#grow().finally(() => (this.#growing = undefined));
    });
  }

  /** Never rejects: on failure, documents keep waiting for the existing browsers. */
  async #grow(): Promise<void> {
    if (this.#stopped || this.#slots.length >= this.#mostSlots) return;
    const slot = this.#newSlot();
    this.#slots.push(slot);
    try {
      await slot.start();
    } catch (error) {
      this.#slots.splice(this.#slots.indexOf(slot), 1);
      this.#options.logger.error({ err: error }, 'additional browser failed to start');
    }
  }

  #serve(slot: BrowserSlot): void {
    const next = this.#next();
    if (!next) return;
    this.#waiting.delete(next);
    slot.reserve();
    next.resolve(slot);
  }

  #next(): Waiting | undefined {
    const [first] = this.#waiting;
    if (!first || first.isInteractive || first.overtakes >= MOST_OVERTAKES) return first;
    const interactive = [...this.#waiting].find(({ isInteractive }) => isInteractive);
    if (!interactive) return first;
    first.overtakes += 1;
    return interactive;
  }
}
