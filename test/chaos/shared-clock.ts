import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

/** Paths of the library in Debian's `faketime` package, by architecture. */
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (architecture) => `/usr/lib/${architecture}-linux-gnu/faketime/libfaketime.so.1`,
);

const MISSING = 'there is no libfaketime (Debian: apt-get install faketime)';

const libraryHere = () => LIBRARIES.find((file) => existsSync(file));

/** A clock shared by several processes that a test can shift. Their monotonic clocks are unaffected, as in reality. */
export class SharedClock {
  /** Makes a process use the clock. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #directory: string;

  private constructor(directory: string, library: string) {
    this.#directory = directory;
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path.join(directory, 'offset'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /**
   * Returns the reason that the library cannot be used here; undefined if it can, or in CI, where a missing library is
   * a failure.
   */
  static whyNot(): string | undefined {
    return process.env['CI'] || libraryHere() ? undefined : MISSING;
  }

  static async start(): Promise<SharedClock> {
    const library = libraryHere();
    if (library === undefined) throw new Error(MISSING);
    const clock = new SharedClock(await temporaryDirectory(), library);
    await clock.set(0);
    return clock;
  }

  /** Sets the offset from the real time, in seconds. */
  async set(seconds: number): Promise<void> {
    await writeFile(path.join(this.#directory, 'offset'), `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  async stop(): Promise<void> {
    await removeDirectory(this.#directory);
  }
}
