import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Maximum number of characters kept of each stream. */
const KEPT_CHARACTERS = 2 ** 20;
/** Maximum number of characters of each stream in `output`. */
const SHOWN_CHARACTERS = 8000;

/** End of a process: an exit code or a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface OwnedProcessOptions {
  /** @default this process's environment */
  readonly env?: NodeJS.ProcessEnv;
  /** @default this process's directory */
  readonly cwd?: string;
}

/** A program that cannot outlive this process. */
export class OwnedProcess {
  readonly name: string;
  readonly pid: number;
  /** Settles when the process has exited and its output is fully read. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';
  #end: ProcessEnd | undefined;

  constructor(name: string, command: string, args: readonly string[], options: OwnedProcessOptions = {}) {
    this.name = name;
    this.#child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.on('error', () => undefined);
    if (this.#child.pid === undefined) throw new Error(`${name} could not be started: ${command}`);
    this.pid = this.#child.pid;
    this.#child.stdout?.setEncoding('utf8').on('data', (piece: string) => this.heard(piece));
    this.#child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-KEPT_CHARACTERS);
    });
    const leash = tieToThisProcess(this.pid);
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        leash.kill('SIGKILL');
        this.#end = { code, signal };
        resolve(this.#end);
      });
    });
  }

  /** The end of its standard output. */
  get stdout(): string {
    return this.#stdout;
  }

  /** The end of its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The end of both streams, for error messages. */
  get output(): string {
    const [stdout, stderr] = [this.#stdout, this.#stderr].map((text) => text.slice(-SHOWN_CHARACTERS));
    return `--- stdout of ${this.name} ---\n${stdout}\n--- stderr ---\n${stderr}`;
  }

  get running(): boolean {
    return this.#end === undefined;
  }

  /** Returns the reason that the process ended, or undefined if it is running. */
  get failure(): Error | undefined {
    return this.#end && new Error(`${this.name} ended: ${JSON.stringify(this.#end)}`);
  }

  /** Resident memory in bytes, current or peak. Linux only. */
  async memory(field: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  }

  /** Sends a signal only to the process, not to its children. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills the process, as if its machine had crashed. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Asks the process to stop, and kills it on timeout. */
  async stop(timeoutMs = 90_000): Promise<ProcessEnd> {
    this.signal('SIGTERM');
    this.signal('SIGCONT');
    const tooLong = setTimeout(() => this.signal('SIGKILL'), timeoutMs);
    return this.ended.finally(() => clearTimeout(tooLong));
  }

  /** Called with each chunk of the process's standard output. */
  protected heard(piece: string): void {
    this.#stdout = (this.#stdout + piece).slice(-KEPT_CHARACTERS);
  }
}

/**
 * A shell that kills the process when this side of its standard input closes. The operating system closes it even if
 * this process is killed.
 */
function tieToThisProcess(pid: number): ChildProcess {
  const script = 'cat >/dev/null; kill -KILL "$0" 2>/dev/null';
  return spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] });
}
