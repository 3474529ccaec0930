import type { Clock } from '../async/clock.ts';
import type { Metrics } from './metrics.ts';

/** A condition for serving requests. */
export interface ReadinessCheck {
  readonly name: string;
  /** Rejects with the reason if the condition is not met. */
  check(): Promise<void>;
}

/** Result of a check. */
export interface CheckReport {
  readonly name: string;
  readonly ready: boolean;
  readonly reason?: string;
}

/** A check that takes longer than this has failed. */
const CHECK_TIMEOUT_MS = 2_000;

/** Runs all checks concurrently. */
export class Readiness {
  readonly #checks: readonly ReadinessCheck[];
  readonly #clock: Clock;
  readonly #held: ReturnType<typeof heldGauge> | undefined;

  /**
   * With `metrics`, the latest results are also exported as metrics: probes run every few seconds, so alerts can use
   * them.
   */
  constructor(checks: readonly ReadinessCheck[], clock: Clock, metrics?: Metrics) {
    this.#checks = checks;
    this.#clock = clock;
    this.#held = metrics && heldGauge(metrics);
  }

  async report(): Promise<CheckReport[]> {
    const reports = await Promise.all(this.#checks.map(async (check) => this.#ask(check)));
    for (const { name, ready } of reports) this.#held?.set({ check: name }, ready ? 1 : 0);
    return reports;
  }

  async #ask(check: ReadinessCheck): Promise<CheckReport> {
    const { name } = check;
    try {
      await this.#clock.withTimeout(() => check.check(), CHECK_TIMEOUT_MS);
      return { name, ready: true };
    } catch (error) {
      return { name, ready: false, reason: (error as Error).message };
    }
  }
}

function heldGauge(metrics: Metrics) {
  return metrics.gauge({
    name: 'trifold_readiness_check',
    help: 'Whether the process was ready (1) or not (0) at the last check.',
    labelNames: ['check'],
  });
}
