import { BUCKET_MS, DOCUMENT_LIFETIME_MS, DOCUMENTS_PREFIX, timeOfBucket } from '@trifold/crds';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { deleteExpired } from './expired-prefixes.ts';

/**
 * Deletes the buckets in which every document has expired, with inputs and records: 24 hours after the end of the
 * bucket (interface, "Limits"). Lists only the buckets, never their content. Returns the number of deleted objects.
 */
export async function deleteExpiredDocuments(store: ObjectStore, now: Date, logger: Logger): Promise<number> {
  const lastWriteTime = (prefix: string) => {
    const start = timeOfBucket(prefix);
    return start && new Date(start.getTime() + BUCKET_MS);
  };
  return deleteExpired(
    store,
    { root: DOCUMENTS_PREFIX, lastWriteTime, keptMs: DOCUMENT_LIFETIME_MS },
    now,
    logger,
  );
}
