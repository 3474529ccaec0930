import { DOCUMENT_LIFETIME_MS, endOfDay, INDEX_PREFIX } from '@trifold/crds';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { deleteExpired } from './expired-prefixes.ts';

/** Lists still read a day whose end is less than 24 hours and the skew of clocks ago. */
const KEPT_MS = DOCUMENT_LIFETIME_MS + 60 * 60 * 1000;

/**
 * Deletes the days of the index in which all work has expired: work is accepted before its row is added. Returns the
 * number of deleted objects.
 */
export async function deleteExpiredIndexes(store: ObjectStore, now: Date, logger: Logger): Promise<number> {
  return deleteExpired(store, { root: INDEX_PREFIX, lastWriteTime: endOfDay, keptMs: KEPT_MS }, now, logger);
}
