import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';

/** Least time between two attempts to make a bucket that is gone. Probes come every few seconds, from every pod. */
const PAUSE_MS = 10_000;

export interface BucketKeeperOptions {
  readonly bucket: string;
  readonly prepare: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Makes the bucket again when somebody removed it from under a process that had prepared it; without that the process
 * would stay unready until it is started anew. One that never prepared a bucket makes none.
 */
export class BucketKeeper {
  readonly #options: BucketKeeperOptions;
  #isPrepared = false;
  #isAtWork = false;
  #notBefore = 0;

  constructor(options: BucketKeeperOptions) {
    this.#options = options;
  }

  /** The bucket is as it should be. */
  prepared(): void {
    this.#isPrepared = true;
  }

  /** The bucket was not there. Never waits and never throws: whether it helped, the next check tells. */
  missed(): void {
    const now = this.#options.clock.now().getTime();
    if (!this.#isPrepared || this.#isAtWork || now < this.#notBefore) return;
    this.#isAtWork = true;
    this.#notBefore = now + PAUSE_MS;
    void this.#makeAgain();
  }

  async #makeAgain(): Promise<void> {
    const { bucket, logger, prepare } = this.#options;
    logger.warn({ bucket }, 'the bucket and all its objects are gone, recreating it');
    try {
      await prepare();
    } catch (err) {
      logger.error({ err, bucket }, 'failed to recreate the bucket');
    } finally {
      this.#isAtWork = false;
    }
  }
}
