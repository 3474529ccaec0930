import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

/** Objects under prefixes that contain the time from which their expiry follows. */
export interface TimedObjects {
  readonly root: string;
  /**
   * Latest time at which an object was stored under a prefix one level below the root; undefined for a foreign prefix.
   */
  readonly lastWriteTime: (prefix: string) => Date | undefined;
  /** How long everything under the prefix is kept after that time. */
  readonly keptMs: number;
}

/** Deletes the expired prefixes and everything below them; returns the number of deleted objects. */
export async function deleteExpired(
  store: ObjectStore,
  { root, lastWriteTime, keptMs }: TimedObjects,
  now: Date,
  logger: Logger,
): Promise<number> {
  const { prefixes } = await store.list(root, { delimiter: '/' });
  let deleted = 0;
  for (const prefix of prefixes) {
    const end = lastWriteTime(prefix)?.getTime() ?? Infinity;
    // The negation also skips an invalid date (NaN).
    if (!(end + keptMs <= now.getTime())) continue;
    try {
      deleted += await store.deletePrefix(prefix);
    } catch (error) {
      // The other prefixes must not wait for this one; the next run tries it again.
      logger.warn({ err: error, prefix }, 'failed to delete expired objects');
    }
  }
  return deleted;
}
