import { endOfDay, REVISIONS_PREFIX } from '@trifold/crds';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { deleteExpired } from './expired-prefixes.ts';

/** The jobs that are filed by a day expire a day later, or just before two when their ids are older than they are. */
const KEPT_MS = 48 * 60 * 60 * 1000;

/**
 * Deletes the revisions of the days on which no unfinished job can stand any more, whatever templates there are: a
 * document that is accepted today is made from a revision that was stored for today. Answers how many were deleted.
 */
export async function deleteExpiredRevisions(store: ObjectStore, now: Date, logger: Logger): Promise<number> {
  return deleteExpired(store, { root: REVISIONS_PREFIX, endOf: endOfDay, keptMs: KEPT_MS }, now, logger);
}
