import { DOCUMENT_LIFETIME } from '@trifold/crds/retention.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { readStoredBytes, type StoredBytes } from '@trifold/platform/records/usage/stored-totals.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { Periodic } from '@trifold/platform/async/periodic.ts';
import { ApiError } from '../errors/api-error.ts';

/** Stored bytes and storage limit of an account. */
export interface AccountStorage {
  /** Null until a controller has counted the bytes. */
  readonly bytes: number | null;
  /** Null: no limit. */
  readonly limit: number | null;
  /** Time of the count in ISO 8601. */
  readonly asOf: string | null;
}

/** Interval at which a gateway reads the controller's counts. */
const INTERVAL_MS = 10_000;

/**
 * Limits an account's bytes in the object store, based on the controller's last count (docs/adr/0043-storage-quota.md).
 * Until a gateway has a count, it admits everything.
 */
export class StorageQuota {
  readonly #most: number;
  readonly #reading: Periodic;
  #stored: StoredBytes | undefined;

  /** `most`: maximum number of bytes per account; 0 means no limit. */
  constructor(most: number, store: Pick<ObjectStore, 'read'>, common: { clock: Clock; logger: Logger }) {
    this.#most = most;
    this.#reading = new Periodic({
      name: 'stored-bytes',
      intervalMs: INTERVAL_MS,
      ...common,
      run: async () => {
        this.#stored = await readStoredBytes(store);
      },
    });
  }

  /** Starts reading the counts. */
  start(): void {
    this.#reading.start();
  }

  async stop(): Promise<void> {
    await this.#reading.stop();
  }

  storageOf(account: string): AccountStorage {
    const bytes = this.#stored ? (this.#stored.accounts.get(account) ?? 0) : null;
    return { bytes, limit: this.#most === 0 ? null : this.#most, asOf: this.#stored?.asOf ?? null };
  }

  /** Whether the account has reached its storage limit. */
  isFull(account: string): boolean {
    const { bytes, limit } = this.storageOf(account);
    return bytes !== null && limit !== null && bytes >= limit;
  }

  /** Throws ApiError `storage_full` (507) when the account has reached its storage limit. */
  assertWithinQuota(account: string): void {
    if (!this.isFull(account)) return;
    const { bytes, limit } = this.storageOf(account);
    const message = `This account stores ${bytes} bytes; the limit is ${limit}. Delete documents, or wait until files expire, ${DOCUMENT_LIFETIME} after the documents were accepted. The service updates the count within a few minutes.`;
    throw new ApiError('storage_full', message);
  }
}
