import {
  BUCKET_MS,
  DOCUMENT_LIFETIME_MS,
  DOCUMENTS_PREFIX,
  endOfDay,
  INDEX_PREFIX,
  REQUESTS_KEPT_MS,
  REQUESTS_PREFIX,
  REVISIONS_PREFIX,
  TEMPLATE,
  timeOfBucket,
} from '@trifold/crds';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { Periodic } from '@trifold/platform/async/periodic.ts';
import type { Caches } from '../caches.ts';
import type { ControllerContext } from '../context.ts';
import { deleteUnusedHistories, UnusedSources } from './unused-template-files.ts';

/** Objects under prefixes that contain the time that determines their expiry. */
interface TimedObjects {
  readonly root: string;
  /**
   * Latest time at which an object can be stored under a prefix one level below the root; undefined for an unknown
   * prefix.
   */
  readonly lastWriteTime: (prefix: string) => Date | undefined;
  /** Retention of everything under the prefix, counted from that time. */
  readonly keptMs: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** Once a prefix has expired, so has everything below it; objects are not checked individually. */
const TIMED_OBJECTS = {
  /** Buckets with files, data and records: 24 hours after the end of the bucket (interface, "Limits"). */
  documents: {
    root: DOCUMENTS_PREFIX,
    lastWriteTime: (prefix) => {
      const start = timeOfBucket(prefix);
      return start && new Date(start.getTime() + BUCKET_MS);
    },
    keptMs: DOCUMENT_LIFETIME_MS,
  },
  /**
   * Revisions of days that cannot have unfinished jobs, regardless of which templates exist: a document accepted today
   * uses a revision stored for today. Jobs filed under a day expire a day later, or just under two days later if their
   * ID is older than the job.
   */
  revisions: { root: REVISIONS_PREFIX, lastWriteTime: endOfDay, keptMs: 48 * HOUR_MS },
  /** Index days, which lists read for 24 hours plus clock skew. */
  indexes: { root: INDEX_PREFIX, lastWriteTime: endOfDay, keptMs: DOCUMENT_LIFETIME_MS + HOUR_MS },
  /** Request log days. */
  requests: { root: REQUESTS_PREFIX, lastWriteTime: endOfDay, keptMs: REQUESTS_KEPT_MS },
} satisfies Record<string, TimedObjects>;

type Expired = keyof typeof TIMED_OBJECTS;

/**
 * Deletes expired files and objects that no template refers to. Apart from this, only a bucket lifecycle rule may
 * delete them.
 */
export function expiredFiles(
  { kubernetes, store, clock, config, logger, shared }: ControllerContext,
  caches: Caches,
) {
  const templates = kubernetes.resource(TEMPLATE);
  const cache = caches.templates;
  const unusedSources = new UnusedSources({ store, templates, cache, logger });
  return new Periodic({
    ...shared,
    name: 'garbage-collection',
    intervalMs: config.collectionIntervalMs,
    run: async () => {
      const expired = await deleteExpiredObjects(store, clock.now(), logger);
      const sources = await unusedSources.collect(clock.now());
      const versions = await deleteUnusedHistories({ store, templates: templates.metadataOnly(), cache });
      const objects = { ...expired, sources, versions };
      if (Object.values(objects).some((deleted) => deleted > 0))
        logger.info(objects, 'deleted expired objects');
    },
  });
}

/** Deletes the objects whose prefix has expired; returns the number of deleted objects of each kind. */
export async function deleteExpiredObjects(
  store: ObjectStore,
  now: Date,
  logger: Logger,
): Promise<Record<Expired, number>> {
  const deleted = { documents: 0, revisions: 0, indexes: 0, requests: 0 };
  for (const [kind, objects] of Object.entries(TIMED_OBJECTS) as [Expired, TimedObjects][]) {
    deleted[kind] = await deleteExpired(store, objects, now, logger);
  }
  return deleted;
}

async function deleteExpired(
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
      // The other prefixes must not wait for this one; the next run retries it.
      logger.warn({ err: error, prefix }, 'failed to delete expired objects');
    }
  }
  return deleted;
}
