import { spawn, type ChildProcess } from 'node:child_process';
import { eventually } from './conditions.ts';
import { REPOSITORY, type ProcessEnd } from './service.ts';

/** How much of a process's log is kept. */
const KEPT_LINES = 20_000;
const READY_DEADLINE_MS = 60_000;

/** One line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string; readonly port?: number };

/** A service started as in an image: `node <file>` with nothing but the environment given. It cannot outlive us. */
export class NodeProcess {
  readonly name: string;
  readonly pid: number;
  /** Settles when it has ended and its output is read to the end. */
  readonly ended: Promise<ProcessEnd>;
  readonly log: LogLine[] = [];
  readonly #child: ChildProcess;
  #stderr = '';
  #rest = '';
  #end: ProcessEnd | undefined;

  constructor(name: string, file: string, environment: Readonly<Record<string, string>>) {
    const { PATH = '', HOME = '', TMPDIR, TRIFOLD_BROWSER } = process.env;
    this.name = name;
    this.#child = spawn(process.execPath, [file], {
      cwd: REPOSITORY,
      env: {
        PATH,
        HOME,
        ...(TMPDIR && { TMPDIR }),
        ...(TRIFOLD_BROWSER && { TRIFOLD_BROWSER }),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (this.#child.pid === undefined) throw new Error(`${name} could not be started`);
    this.pid = this.#child.pid;
    this.#child.stdout?.on('data', (piece: Buffer) => this.#read(piece.toString()));
    this.#child.stderr?.on('data', (piece: Buffer) => (this.#stderr += piece.toString()));
    const leash = spawn('sh', ['-c', 'cat >/dev/null; kill -KILL "$0" 2>/dev/null', String(this.pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        leash.kill('SIGKILL');
        this.#end = { code, signal };
        resolve(this.#end);
      });
    });
  }

  get running(): boolean {
    return this.#end === undefined;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The end of what it said, for the message of a failure. */
  get output(): string {
    const lines = this.log.slice(-60).map((line) => JSON.stringify(line));
    return `--- ${this.name} (pid ${this.pid}) ---\n${lines.join('\n')}\n${this.#stderr.slice(-4000)}`;
  }

  /** The first line with that message, if it was said. */
  said(message: string): LogLine | undefined {
    return this.log.find(({ msg }) => msg === message);
  }

  /** Resolves with the first line with that message; rejects when the process ends without saying it. */
  async says(message: string, deadlineMs = READY_DEADLINE_MS): Promise<LogLine> {
    const giveUp = () => (this.#end ? new Error(`it ended: ${JSON.stringify(this.#end)}`) : undefined);
    try {
      const what = `${this.name} says "${message}"`;
      return await eventually(what, () => this.said(message), { deadlineMs, giveUp });
    } catch (cause) {
      throw new Error(`${this.name} did not say "${message}"\n${this.output}`, { cause });
    }
  }

  /** Where it answers its probes. */
  async operationsUrl(): Promise<string> {
    const { port } = await this.says('serving probes and metrics');
    return `http://127.0.0.1:${Number(port)}`;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As a crash of its machine. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Asks it to end, and kills it when that takes too long. */
  async stop(withinMs = 90_000): Promise<ProcessEnd> {
    this.signal('SIGTERM');
    this.signal('SIGCONT');
    const tooLong = setTimeout(() => this.signal('SIGKILL'), withinMs);
    return this.ended.finally(() => clearTimeout(tooLong));
  }

  #read(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        this.log.push(JSON.parse(line) as LogLine);
      } catch {
        this.log.push({ msg: line });
      }
    }
    this.log.splice(0, this.log.length - KEPT_LINES);
  }
}
