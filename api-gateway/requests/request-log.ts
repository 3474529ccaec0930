import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { AccountLog } from './account-log.ts';
import { decodeRequests, type LoggedRequest } from './logged-request.ts';
import { StoredLogs } from './stored-logs.ts';

/** Pause between two writes, and so the delay until other gateways see a request. */
const WRITE_AFTER_MS = 1_000;
/** Pause after a failed write. */
const RETRY_AFTER_MS = 10_000;
/** Logs per write; the others wait for the next one. */
const LOGS_PER_WRITE = 16;
const CONCURRENT_WRITES = 4;
/** How long a stopping gateway writes. */
const LAST_WRITES_MS = 2_000;
const MAX_BYTES = BOUNDS.requestLog.total.value;

export interface RequestLogOptions {
  readonly store: Pick<ObjectStore, 'put' | 'read' | 'list' | 'delete'>;
  readonly accounts: Pick<KeyCache, 'accountUid'>;
  /** Unique to this run of the process. */
  readonly gateway: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The log of each account's latest requests. Keeps this gateway's part in memory and writes it to the object store at
 * most once a second. A crash, a full memory or an unavailable store can lose requests: nothing waits for the log.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #stored: StoredLogs;
  /** By the uid of the account, the least recently used first. */
  readonly #logs = new Map<string, AccountLog>();
  /** Logs with unwritten requests; those that have waited longest come first. */
  readonly #due = new Set<AccountLog>();
  #bytes = 0;
  #count = 0;
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #stopped = false;

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#stored = new StoredLogs(options.store, options.clock);
  }

  /** Adds a request, unless its account has been deleted. Returns immediately. */
  add(account: string, request: LoggedRequest): void {
    const uid = this.#options.accounts.accountUid(account);
    if (uid === undefined || this.#stopped) return;
    const log = this.#logs.get(uid) ?? new AccountLog({ account, uid }, this.#newName());
    this.#logs.delete(uid);
    this.#logs.set(uid, log);
    log.add(request);
    this.#due.add(log);
    this.#recount(log);
    this.#plan(WRITE_AFTER_MS);
  }

  /** Returns an account's latest requests at all gateways, newest first. Rejects with ObjectStoreError. */
  async read(account: string): Promise<LoggedRequest[]> {
    const uid = this.#options.accounts.accountUid(account);
    if (uid === undefined) return [];
    const own = this.#logs.get(uid)?.lines ?? [];
    return this.#stored.read({ account, uid }, decodeRequests(own.join('\n')));
  }

  /** Writes unwritten requests, for at most two seconds. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#options.clock.withTimeout((signal) => this.#writeAll(signal), LAST_WRITES_MS, {
      onTimeout: () => undefined,
    });
  }

  async #writeAll(signal: AbortSignal): Promise<void> {
    await this.#writing;
    while (this.#due.size > 0 && !signal.aborted) if (!(await this.#write())) return;
  }

  #plan(delayMs: number): void {
    if (this.#cancel || this.#writing || this.#stopped) return;
    this.#cancel = this.#options.clock.schedule(delayMs, () => {
      this.#cancel = undefined;
      this.#writing = this.#write().then((isWritten) => {
        this.#writing = undefined;
        if (this.#due.size > 0) this.#plan(isWritten ? WRITE_AFTER_MS : RETRY_AFTER_MS);
      });
    });
  }

  /** Writes the logs that have waited longest. Never runs concurrently. Returns false if the store failed. */
  async #write(): Promise<boolean> {
    const { logger } = this.#options;
    const due = [...this.#due].slice(0, LOGS_PER_WRITE);
    try {
      await inParallel(due, CONCURRENT_WRITES, async (log) => this.#writeOne(log));
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'requests not written to the request log, retrying');
      return false;
    }
  }

  async #writeOne(log: AccountLog): Promise<void> {
    this.#due.delete(log);
    // The account has been deleted.
    if (this.#options.accounts.accountUid(log.account) !== log.uid) return this.#drop(log);
    try {
      await this.#stored.write(log);
    } catch (error) {
      if (this.#holds(log)) this.#due.add(log);
      throw error;
    }
    this.#recount(log);
  }

  /** Updates the total and, beyond the limit, drops the logs of the least recently active accounts. */
  #recount(log: AccountLog): void {
    if (!this.#holds(log)) return;
    this.#bytes += log.bytes - log.counted;
    log.counted = log.bytes;
    for (const oldest of this.#logs.values()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(log: AccountLog): void {
    if (!this.#holds(log)) return;
    this.#logs.delete(log.uid);
    this.#due.delete(log);
    this.#bytes -= log.counted;
  }

  /** Whether the log has not been dropped. */
  #holds(log: AccountLog): boolean {
    return this.#logs.get(log.uid) === log;
  }

  #newName(): string {
    this.#count += 1;
    return `${this.#options.gateway}-${this.#count}`;
  }
}
