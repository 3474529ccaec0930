import { duration, type SettingType } from './setting-types.ts';

/** Delays before a delivery's attempts if `TRIFOLD_WEBHOOK_RETRY_SCHEDULE` is not set. */
export const DEFAULT_RETRY_SCHEDULE = '0s,1m,5m,30m,2h,8h,24h';

/** A delivery stores all its attempts, and more would not fit. */
const MAX_WAITS = 16;
const retryWait = duration('0s', '168h');

/** Delays before a delivery's attempts, in milliseconds. */
export const retrySchedule: SettingType<readonly number[]> = {
  parse: (text) => {
    const parts = text.split(',');
    if (parts.length <= MAX_WAITS) return parts.map((part) => retryWait.parse(part.trim()));
    throw new RangeError(`must be at most ${MAX_WAITS} durations, not ${parts.length}`);
  },
  schema: {
    type: 'string',
    pattern: `^[0-9]{1,9}(ms|s|m|h)(,[0-9]{1,9}(ms|s|m|h)){0,${MAX_WAITS - 1}}$`,
    description: `Durations such as 0s,1m,5m, separated by commas, at most ${MAX_WAITS}.`,
  },
};
