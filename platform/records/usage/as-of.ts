import type { ObjectStore } from '../../object-store/port.ts';
import { USAGE_PREFIX } from './email-totals.ts';

/** Object with the time up to which the usage reports are complete. The leading controller rewrites it. */
export const AS_OF_KEY = `${USAGE_PREFIX}as-of`;

/** Records that the reports contain the work that was finished at this time. */
export async function writeAsOf(store: Pick<ObjectStore, 'put'>, time: Date): Promise<void> {
  await store.put(AS_OF_KEY, time.toISOString(), { contentType: 'text/plain' });
}

/** Returns the recorded time in ISO 8601; null if no controller has recorded one. */
export async function readAsOf(store: Pick<ObjectStore, 'read'>): Promise<string | null> {
  const time = Date.parse((await store.read(AS_OF_KEY))?.toString() ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
