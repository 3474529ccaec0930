import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Logger } from '../../process/logging.ts';

/** Records which tasks are active; the record survives a crash of the process. */
export interface TakenTasks {
  /** IDs of the tasks that were active when the previous process ended. */
  readonly lost: readonly string[];
  /** Called when the task's handler begins. */
  take(id: string): void;
  /** Called when the task is finished or returned to the queue: from then on, it is not lost when the process ends. */
  putDown(id: string): void;
}

/** Size of a record: an ID and a newline. `<uid>-<attempt>` takes about 38 bytes; a longer ID is not recorded. */
const RECORD_BYTES = 64;
/** Maximum number of lost IDs kept: more than several processes can lose before the IDs are read. */
const MAX_LOST = 256;

/**
 * Active tasks of an in-memory queue, in a file of fixed-size records: two writes of a few microseconds per task. No
 * fsync: the record has to survive a crash of the process, not of the machine.
 */
export class TakenTasksFile implements TakenTasks {
  readonly lost: readonly string[];
  readonly #file: number;
  readonly #logger: Logger;
  /** Record numbers by ID. */
  readonly #records = new Map<string, number>();
  readonly #free: number[] = [];
  #end: number;
  #broken = false;

  /** Opens or creates the file. Throws if that fails. */
  constructor(path: string, logger: Logger) {
    this.#logger = logger;
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const ids = readFileSync(this.#file, 'latin1').split('\n');
    this.lost = ids
      .map((id) => id.trim())
      .filter((id) => id !== '')
      .slice(-MAX_LOST);
    // Keep the IDs for the next process, in case this one ends before they are read.
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

  /** A full or broken disk must not stop documents: lost attempts then go unrecorded. */
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
