import { spawn, type ChildProcess } from 'node:child_process';
import { eventually } from '../eventually.ts';
import { REPOSITORY, type ProcessEnd } from '../service.ts';

/** Maximum log of a process that is kept. */
const KEPT_LINES = 20_000;
const READY_DEADLINE_MS = 120_000;

/** One line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string; readonly port?: number };

/** A service started as in an image: `node <file>` with only the given environment. It cannot outlive this process. */
export class NodeProcess {
  readonly name: string;
  readonly pid: number;
  /** Settles when it has exited and its output is fully read. */
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

  /** The end of its output, for error messages. */
  get output(): string {
    const lines = this.log.slice(-60).map((line) => JSON.stringify(line));
    return `--- ${this.name} (pid ${this.pid}) ---\n${lines.join('\n')}\n${this.#stderr.slice(-4000)}`;
  }

  /** Returns the first log line with that message, if any. */
  said(message: string): LogLine | undefined {
    return this.log.find(({ msg }) => msg === message);
  }

  /** Resolves with the first log line with that message; rejects if the process ends without it. */
  async says(message: string, timeoutMs = READY_DEADLINE_MS): Promise<LogLine> {
    const giveUp = () => (this.#end ? new Error(`it ended: ${JSON.stringify(this.#end)}`) : undefined);
    try {
      return await eventually(() => this.said(message) ?? false, { timeoutMs, giveUp });
    } catch (cause) {
      throw new Error(`${this.name} did not say "${message}"\n${this.output}`, { cause });
    }
  }

  /** URL of its probes. */
  async operationsUrl(): Promise<string> {
    const { port } = await this.says('serving probes and metrics');
    return `http://127.0.0.1:${Number(port)}`;
  }

  /** Returns the sum of a metric over all its labels; 0 without samples. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${await this.operationsUrl()}/metrics`)).text();
    const samples = text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
    return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills it like a crash of its machine. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Asks it to stop, and kills it on timeout. */
  async stop(timeoutMs = 90_000): Promise<ProcessEnd> {
    this.signal('SIGTERM');
    this.signal('SIGCONT');
    const tooLong = setTimeout(() => this.signal('SIGKILL'), timeoutMs);
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
