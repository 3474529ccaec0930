import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Logger } from '../../service/logging.ts';

/** Remembers which tasks are in hand, where the death of the process does not reach. */
export interface TakenTasks {
  /** Ids of the tasks that were in hand when the process before this one ended. */
  readonly lost: readonly string[];
  /** Its handler begins. */
  take(id: string): void;
  /** It is finished, or the worker gave it back: the end of the process does not lose it any more. */
  putDown(id: string): void;
}

/** An id is written with a line end, in so many bytes. `<uid>-<attempt>` takes 38 or so; a longer id is not kept. */
const RECORD_BYTES = 64;
/** Ids of lost tasks that are carried on: more than a few processes can lose before somebody asked for them. */
const MOST_LOST = 256;

/**
 * The tasks in hand of a queue in memory, in a file of fixed records: two writes of a few microseconds a task. Nothing is
 * forced to the disk: what counts is the death of the process, not of the machine.
 */
export class TakenTasksFile implements TakenTasks {
  readonly lost: readonly string[];
  readonly #file: number;
  readonly #logger: Logger;
  /** Record numbers by id. */
  readonly #records = new Map<string, number>();
  readonly #free: number[] = [];
  #end: number;
  #broken = false;

  /** Opens the file, or makes it. Throws when that is impossible. */
  constructor(path: string, logger: Logger) {
    this.#logger = logger;
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const ids = readFileSync(this.#file, 'latin1').split('\n');
    this.lost = ids
      .map((id) => id.trim())
      .filter((id) => id !== '')
      .slice(-MOST_LOST);
    // Still lost for the next process, should this one end before anybody asks.
    writeSync(this.#file, this.lost.map(record).join(''), 0, 'latin1');
    this.#end = this.lost.length;
    ftruncateSync(this.#file, this.#end * RECORD_BYTES);
  }

  take(id: string): void {
    if (this.#records.has(id) || Buffer.byteLength(id) >= RECORD_BYTES) return;
    const number = this.#free.pop() ?? this.#end++;
    this.#records.set(id, number);
    this.#write(number, id);
  }

  putDown(id: string): void {
    const number = this.#records.get(id);
    if (number === undefined) return;
    this.#records.delete(id);
    this.#free.push(number);
    this.#write(number, '');
  }

  close(): void {
    this.#broken = true;
    closeSync(this.#file);
  }

  /** A full or broken disk must not stop documents: their attempts are not counted then. */
  #write(number: number, id: string): void {
    if (this.#broken) return;
    try {
      writeSync(this.#file, record(id), number * RECORD_BYTES, 'latin1');
    } catch (error) {
      this.#broken = true;
      this.#logger.error({ err: error }, 'active tasks can no longer be recorded');
    }
  }
}

function record(id: string): string {
  return `${id.padEnd(RECORD_BYTES - 1)}\n`;
}
