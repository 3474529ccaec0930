import { BUCKET_MS, DOCUMENT_LIFETIME_MS, DOCUMENTS_PREFIX, timeOfBucket } from '@trifold/crds';
import type { Logger } from '@trifold/platform/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

/**
 * Deletes the buckets whose every document has expired, with inputs and records: 24 hours after the bucket's end
 * (interface, "Limits"). Lists the buckets only, never what is in them. Answers how many objects were deleted.
 *
 * Revisions and template sources are left alone. To collect them, what was listed as old would have to be deleted only
 * if it is still old, and object stores have no such condition: between the two, a gateway may store the same
 * revision again and accept work for it. They are content-addressed and small, and are kept.
 */
export async function deleteExpiredDocuments(store: ObjectStore, now: Date, logger: Logger): Promise<number> {
  const { prefixes } = await store.list(DOCUMENTS_PREFIX, { delimiter: '/' });
  let deleted = 0;
  for (const prefix of prefixes) {
    if (!isExpired(prefix, now)) continue;
    try {
      deleted += await store.deletePrefix(prefix);
    } catch (error) {
      // The others are not to wait for this one; it comes up again the next time.
      logger.warn({ err: error, prefix }, 'expired documents could not be deleted');
    }
  }
  return deleted;
}

/** A prefix that is no bucket of ours is never expired. */
function isExpired(prefix: string, now: Date): boolean {
  const start = timeOfBucket(prefix);
  return start !== undefined && start.getTime() + BUCKET_MS + DOCUMENT_LIFETIME_MS <= now.getTime();
}
