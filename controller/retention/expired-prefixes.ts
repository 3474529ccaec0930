import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

/** Objects that are filed by the time from which their end follows. */
export interface TimedObjects {
  readonly root: string;
  /** Until when something was filed under a prefix of one level below the root; undefined for one that is not ours. */
  readonly endOf: (prefix: string) => Date | undefined;
  /** How long after that everything under it is kept. */
  readonly keptMs: number;
}

/** Deletes the prefixes that have expired, with all below them; answers how many objects that were. */
export async function deleteExpired(
  store: ObjectStore,
  { root, endOf, keptMs }: TimedObjects,
  now: Date,
  logger: Logger,
): Promise<number> {
  const { prefixes } = await store.list(root, { delimiter: '/' });
  let deleted = 0;
  for (const prefix of prefixes) {
    const end = endOf(prefix)?.getTime() ?? Infinity;
    // Also when it is no time at all.
    if (!(end + keptMs <= now.getTime())) continue;
    try {
      deleted += await store.deletePrefix(prefix);
    } catch (error) {
      // The others are not to wait for this one; it comes up again the next time.
      logger.warn({ err: error, prefix }, 'failed to delete expired objects');
    }
  }
  return deleted;
}
