import { requestsPrefix } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { LRUCache } from 'lru-cache';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { AccountLog } from './account-log.ts';
import { decodeRequests, latestRequests, type LoggedRequest } from './logged-request.ts';
import { RequestLogReader } from './request-log-reader.ts';

/** Pause between two writes, and therefore the delay before other gateways see a request. */
const WRITE_AFTER_MS = 1_000;
/** Pause after a failed write. */
const RETRY_AFTER_MS = 10_000;
/** Number of logs per write; the others wait for the next one. */
const LOGS_PER_WRITE = 16;
const CONCURRENT_WRITES = 4;
/** Maximum time that a stopping gateway spends writing. */
const LAST_WRITES_MS = 2_000;

export interface RequestLogOptions {
  readonly store: Pick<ObjectStore, 'put' | 'read' | 'list'>;
  readonly accounts: Pick<KeyCache, 'accountUid'>;
  /** Unique to this run of the process. */
  readonly gateway: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The log of each account's latest requests. Keeps this gateway's part in memory and writes it to the object store at
 * most once a second. A crash, full memory or an unavailable store can lose requests: nothing waits for the log.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #stored: RequestLogReader;
  /** Keyed by prefix, so that a new day starts a new log. */
  readonly #logs = new LRUCache<string, AccountLog>({
    maxSize: BOUNDS.requestLog.total.value,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: (log, _prefix, reason) => {
      if (reason === 'evict') this.#due.delete(log);
    },
  });
  /** Logs with unwritten requests, longest-waiting first. */
  readonly #due = new Set<AccountLog>();
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #stopped = false;

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#stored = new RequestLogReader(options.store, options.clock);
  }

  /** Adds a request, unless its account has been deleted. Returns immediately. */
  add(account: string, request: LoggedRequest): void {
    const uid = this.#options.accounts.accountUid(account);
    if (uid === undefined || this.#stopped) return;
    const prefix = requestsPrefix(account, uid, this.#options.clock.now());
    const log = this.#logs.get(prefix) ?? new AccountLog({ account, uid }, prefix);
    log.add(request);
    this.#keep(log);
    this.#due.add(log);
    this.#plan(WRITE_AFTER_MS);
  }

  /** Returns an account's latest requests at all gateways, newest first. Rejects with ObjectStoreError. */
  async read(account: string): Promise<LoggedRequest[]> {
    const uid = this.#options.accounts.accountUid(account);
    if (uid === undefined) return [];
    const stored = await this.#stored.read({ account, uid });
    const own = this.#logs.peek(requestsPrefix(account, uid, this.#options.clock.now()))?.lines ?? [];
    return latestRequests([...stored, ...decodeRequests(own.join('\n'))]);
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

  #keep(log: AccountLog): void {
    // Without the deletion, the cache would not recalculate the size.
    this.#logs.delete(log.prefix);
    this.#logs.set(log.prefix, log);
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
    const { accounts, store, gateway } = this.#options;
    if (accounts.accountUid(log.account) !== log.uid) {
      // The account has been deleted.
      this.#logs.delete(log.prefix);
      return;
    }
    const key = log.prefix + gateway;
    // A log that has been dropped in the meantime is written, but not kept.
    const isKept = () => this.#logs.peek(log.prefix) === log;
    try {
      if (!log.isComplete) {
        log.complete(String((await store.read(key)) ?? ''));
        if (isKept()) this.#keep(log);
      }
      await store.put(key, log.lines.join('\n'), { contentType: 'application/x-ndjson' });
    } catch (error) {
      if (isKept()) this.#due.add(log);
      throw error;
    }
  }
}
