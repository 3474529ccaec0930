import type { Clock } from '../clock.ts';

/** Something that must hold for requests to be served. */
export interface ReadinessCheck {
  readonly name: string;
  /** Rejects with the reason when it does not hold. */
  check(): Promise<void>;
}

/** What a check found. */
export interface CheckReport {
  readonly name: string;
  readonly ready: boolean;
  readonly reason?: string;
}

/** A check that does not answer in this time has failed. */
const CHECK_DEADLINE_MS = 2_000;

/** Asks every check at once. */
export class Readiness {
  readonly #checks: readonly ReadinessCheck[];
  readonly #clock: Clock;

  constructor(checks: readonly ReadinessCheck[], clock: Clock) {
    this.#checks = checks;
    this.#clock = clock;
  }

  async report(): Promise<CheckReport[]> {
    return Promise.all(this.#checks.map(async (check) => this.#ask(check)));
  }

  async #ask(check: ReadinessCheck): Promise<CheckReport> {
    const { name } = check;
    const late = Promise.withResolvers<never>();
    const cancel = this.#clock.schedule(CHECK_DEADLINE_MS, () =>
      late.reject(new Error(`no answer within ${CHECK_DEADLINE_MS} ms`)),
    );
    try {
      await Promise.race([check.check(), late.promise]);
      return { name, ready: true };
    } catch (error) {
      return { name, ready: false, reason: (error as Error).message };
    } finally {
      cancel();
    }
  }
}
