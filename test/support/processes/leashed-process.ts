import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Maximum output of a process that is kept for error messages. */
const KEPT_CHARACTERS = 20_000;

/**
 * Runs the program under a shell that kills it when our end of the pipe closes. The operating system closes it even if
 * the test process is killed, so no process is left behind.
 */
const LEASH = '"$@" 3<&- & pid=$!; { cat <&3 >/dev/null; kill -KILL $pid 2>/dev/null; } & wait $pid';

/** A program that cannot outlive this process, with the end of its log. */
export class LeashedProcess {
  readonly #shell: ChildProcess;
  readonly #name: string;
  readonly #ended: Promise<unknown>;
  #output = '';
  #exit: Error | undefined;
  #spawnError: Error | undefined;

  constructor(name: string, command: string, args: readonly string[]) {
    this.#name = name;
    this.#shell = spawn('sh', ['-c', LEASH, name, command, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        this.#output = (this.#output + piece.toString()).slice(-KEPT_CHARACTERS);
      });
    }
    this.#ended = once(this.#shell, 'close').catch((error: Error) => {
      this.#spawnError = error;
    });
    this.#shell.on('exit', (code, signal) => {
      this.#exit = new Error(`${name} ended (${signal ?? `exit code ${code}`})`);
    });
  }

  /** Returns why it has ended; undefined while it runs. */
  get failure(): Error | undefined {
    return this.#spawnError ?? this.#exit;
  }

  /** The end of its output on both streams. */
  get log(): string {
    return `--- the end of ${this.#name}'s log ---\n${this.#output}`;
  }

  async stop(): Promise<void> {
    const leash = this.#shell.stdio[3];
    if (leash && 'end' in leash) leash.destroy();
    await this.#ended;
  }
}
