import { duration, within, type SettingParser } from '@trifold/platform/service/config.ts';

/** Maximum number of requests of a key in a window. */
export interface RateLimit {
  readonly requests: number;
  /** Length of the window, which begins with the first request; milliseconds, whole seconds. */
  readonly windowMs: number;
}

const FORM = /^([1-9]\d{0,8})\/(\w+)$/;
const windowOf = within(duration, '1s', '24h');

/** Parses `off`, or `600/1m`: requests and the time in which a key may send them. */
export const rateLimit: SettingParser<RateLimit | undefined> = (text) => {
  if (text === 'off') return undefined;
  const [, requests, window = ''] = FORM.exec(text) ?? [];
  const windowMs = requests === undefined ? Number.NaN : windowOf(window);
  if (windowMs % 1000 === 0) return Object.freeze({ requests: Number(requests), windowMs });
  throw new RangeError(
    `must be off, or requests and the whole seconds, minutes or hours for them, such as 600/1m, not ${JSON.stringify(text)}`,
  );
};
