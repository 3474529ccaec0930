import { duration, within, type SettingParser } from '@trifold/platform/service/config.ts';

/** How many requests a key may send. */
export interface RateLimit {
  readonly requests: number;
  /** The time in which it may send them, from the first of them on; milliseconds, whole seconds. */
  readonly windowMs: number;
}

/** What came of counting one request. */
export interface RateVerdict {
  /** Whether the request is within the limit. */
  readonly allowed: boolean;
  /** How many more may be sent before the window ends. */
  readonly remaining: number;
  /** When the window ends, milliseconds from now. */
  readonly resetMs: number;
}

/** Counts the requests of keys. */
export interface RateLimiter {
  /** Counts a request of a key. Never rejects, and answers within a fraction of a second. */
  take(key: string): Promise<RateVerdict>;
}

const FORM = /^([1-9]\d{0,8})\/(\w+)$/;
const windowOf = within(duration, '1s', '24h');

/** Reads `off`, or `600/1m`: requests and the time in which a key may send them. */
export const rateLimit: SettingParser<RateLimit | undefined> = (text) => {
  if (text === 'off') return undefined;
  const [, requests, window = ''] = FORM.exec(text) ?? [];
  const windowMs = requests === undefined ? Number.NaN : windowOf(window);
  if (windowMs % 1000 === 0) return Object.freeze({ requests: Number(requests), windowMs });
  throw new RangeError(
    `must be off, or requests and the whole seconds, minutes or hours for them, such as 600/1m, not ${JSON.stringify(text)}`,
  );
};
