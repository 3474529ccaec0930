import type { Logger } from '../../service/logging.ts';

/** Notified of each email totals object that contains no valid totals. */
export interface UnreadableTotals {
  note(key: string, error: unknown): void;
}

/** Logs each such object once, as an error with its key, and counts every occurrence. */
export function reportUnreadable(logger: Logger, counter: { inc(): unknown }): UnreadableTotals {
  const known = new Set<string>();
  return {
    note(key, error) {
      counter.inc();
      if (known.has(key)) return;
      known.add(key);
      logger.error({ err: error, key }, 'unreadable email counts are left out, repair or delete the object');
    },
  };
}
