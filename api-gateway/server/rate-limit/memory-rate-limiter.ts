import type { Clock } from '@trifold/platform/service/clock.ts';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limit.ts';

interface Window {
  used: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** Counts in this process alone. A key's window begins with its first request and is forgotten when it has ended. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  /** By key; the one that ends first comes first, as all are equally long. */
  readonly #windows = new Map<string, Window>();

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** How many keys are counted. */
  get size(): number {
    return this.#windows.size;
  }

  async take(key: string): Promise<RateVerdict> {
    return this.count(key, this.#limit.requests);
  }

  /** Counts a request of a key that may send only so many here. */
  count(key: string, most: number): RateVerdict {
    const now = this.#clock.now().getTime();
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
      // A clock that was set back is no reason to keep a key out for longer than a window.
      if (endsAt > now && endsAt <= now + this.#limit.windowMs) return;
      this.#windows.delete(key);
    }
  }
}
