import type { ObjectStore } from '../../object-store/port.ts';
import { USAGE_PREFIX } from './email-totals.ts';

/** Object with the time up to which the usage reports are complete. The leading controller rewrites it. */
export const AS_OF_KEY = `${USAGE_PREFIX}as-of`;

/** Records that the reports contain all work finished by this time. */
export async function writeAsOf(store: Pick<ObjectStore, 'put'>, time: Date): Promise<void> {
  await store.put(AS_OF_KEY, time.toISOString(), { contentType: 'text/plain' });
}

/** Returns the recorded time in ISO 8601; null if no controller has recorded one. */
export async function readAsOf(store: Pick<ObjectStore, 'read'>): Promise<string | null> {
  const time = Date.parse((await store.read(AS_OF_KEY))?.toString() ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Object that records what each account stores. The leading controller rewrites it. */
export const STORED_BYTES_KEY = `${USAGE_PREFIX}stored-bytes`;

/** Bytes that the accounts store in the object store. */
export interface StoredBytes {
  /** Time in ISO 8601 at which counting began. */
  readonly asOf: string;
  /** Bytes by account. Accounts without objects are absent. */
  readonly accounts: ReadonlyMap<string, number>;
}

export async function writeStoredBytes(
  store: Pick<ObjectStore, 'put'>,
  { asOf, accounts }: StoredBytes,
): Promise<void> {
  const body = JSON.stringify({ asOf, accounts: Object.fromEntries(accounts) });
  await store.put(STORED_BYTES_KEY, body, { contentType: 'application/json' });
}

/** Returns undefined if no controller has counted. Rejects if the object is damaged. */
export async function readStoredBytes(store: Pick<ObjectStore, 'read'>): Promise<StoredBytes | undefined> {
  const body = await store.read(STORED_BYTES_KEY);
  if (!body) return undefined;
  const { asOf, accounts } = JSON.parse(body.toString()) as {
    asOf: string;
    accounts: Record<string, number>;
  };
  return { asOf, accounts: new Map(Object.entries(accounts)) };
}
