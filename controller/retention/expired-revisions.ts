import { endOfDay, REVISIONS_PREFIX } from '@trifold/crds';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { deleteExpired } from './expired-prefixes.ts';

/**
 * Jobs that are filed under a day expire a day later, or just under two days later when their id is older than the job.
 */
const KEPT_MS = 48 * 60 * 60 * 1000;

/**
 * Deletes the revisions of days for which no unfinished job can exist any more, whatever templates exist: a document
 * accepted today uses a revision that was stored for today. Returns the number of deleted objects.
 */
export async function deleteExpiredRevisions(store: ObjectStore, now: Date, logger: Logger): Promise<number> {
  return deleteExpired(
    store,
    { root: REVISIONS_PREFIX, lastWriteTime: endOfDay, keptMs: KEPT_MS },
    now,
    logger,
  );
}
