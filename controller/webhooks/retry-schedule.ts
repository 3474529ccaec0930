import { duration, within, type SettingParser } from '@trifold/platform/service/config.ts';

/** A delivery stores all of its attempts, and more would not fit. */
const MOST_WAITS = 16;
const wait = within(duration, '0s', '168h');

/**
 * Parses the waits before the attempts of a delivery, in milliseconds. The interface ("Delivery and retry") defines the
 * default: TRIFOLD_WEBHOOK_RETRY_SCHEDULE in platform/service/settings.ts.
 */
export const retrySchedule: SettingParser<readonly number[]> = (text) => {
  const parts = text.split(',');
  if (parts.length <= MOST_WAITS) return parts.map((part) => wait(part.trim()));
  throw new RangeError(`must be ${MOST_WAITS} durations at most, not ${parts.length}`);
};
