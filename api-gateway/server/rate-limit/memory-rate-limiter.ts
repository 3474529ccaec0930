import type { Clock } from '@trifold/platform/service/clock.ts';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limit.ts';

interface Window {
  used: number;
  /** As `Clock.monotonicMs`. */
  readonly endsAt: number;
}

/** Counts in this process only. A key's window begins with its first request and is deleted when it has ended. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  /** By key, in the order in which the windows end, as all have the same length. */
  readonly #windows = new Map<string, Window>();

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Number of keys that are counted. */
  get size(): number {
    return this.#windows.size;
  }

  async take(key: string): Promise<RateVerdict> {
    return this.count(key, this.#limit.requests);
  }

  /** Counts a request of a key that may send `most` requests to this process in a window. */
  count(key: string, most: number): RateVerdict {
    const now = this.#clock.monotonicMs();
    this.#forgetEnded(now);
    const window = this.#windows.get(key) ?? { used: 0, endsAt: now + this.#limit.windowMs };
    window.used += 1;
    this.#windows.set(key, window);
    return {
      allowed: window.used <= most,
      remaining: Math.max(0, most - window.used),
      resetMs: window.endsAt - now,
    };
  }

  #forgetEnded(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now) return;
      this.#windows.delete(key);
    }
  }
}
