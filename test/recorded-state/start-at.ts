/** `node start-at.ts TIME`: runs the standalone service with a clock that starts at this time. */
import { Clock, systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { loadStandaloneConfig } from '@trifold/standalone/config.ts';
import { Standalone } from '@trifold/standalone/standalone.ts';
import { onStopSignal } from '@trifold/standalone/stop-signals.ts';
import { welcome } from '@trifold/standalone/welcome.ts';

/** The system clock, shifted. */
class MovedClock extends Clock {
  readonly #offsetMs: number;

  constructor(start: string) {
    super();
    this.#offsetMs = Date.parse(start) - Date.now();
  }

  override now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  override monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  override schedule(delayMs: number, callback: () => void): () => void {
    return systemClock.schedule(delayMs, callback);
  }
}

const config = loadStandaloneConfig(process.env);
const logger = createLogger({ level: config.process.logLevel, name: 'trifold' });
const start = process.argv.at(-1) as string;
const service = await Standalone.start(config, logger, new MovedClock(start));
onStopSignal(() => void service.stop());
process.stdout.write(welcome(service));
