import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';

/** Minimum time between two attempts to recreate a missing bucket. Every pod is probed every few seconds. */
const PAUSE_MS = 10_000;

export interface BucketKeeperOptions {
  readonly bucket: string;
  readonly prepare: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Recreates the bucket when it is removed during the life of a process that prepared it; otherwise the process would
 * stay unready until its restart. A process that never prepared a bucket creates none.
 */
export class BucketKeeper {
  readonly #options: BucketKeeperOptions;
  #isPrepared = false;
  #isAtWork = false;
  #notBefore = 0;

  constructor(options: BucketKeeperOptions) {
    this.#options = options;
  }

  /** Records that the bucket is prepared. */
  prepared(): void {
    this.#isPrepared = true;
  }

  /**
   * Reports a missing bucket, to recreate it in the background. Never waits and never throws: the next check shows
   * whether the bucket is back.
   */
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
