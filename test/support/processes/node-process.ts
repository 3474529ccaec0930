import { eventually } from '../eventually.ts';
import { REPOSITORY, withConstants } from '../service.ts';
import { OwnedProcess } from './owned-process.ts';
import type { Constants } from './with-constants.ts';

/** Maximum length of a process's log that is kept. */
const KEPT_LINES = 20_000;
const READY_DEADLINE_MS = 120_000;

/** One line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string; readonly port?: number };

/**
 * A service started as in a container image: `node <file>` with only the given environment. It cannot outlive this
 * process.
 */
export class NodeProcess extends OwnedProcess {
  readonly log: LogLine[] = [];
  #rest = '';

  constructor(name: string, file: string, environment: NodeJS.Dict<string>, constants?: Constants) {
    const { PATH, HOME, TMPDIR, TRIFOLD_BROWSER } = process.env;
    const env = { PATH, HOME, TMPDIR, TRIFOLD_BROWSER, ...environment };
    const [node, ...args] = constants ? withConstants(constants, file) : [process.execPath, file];
    super(name, node, args, { cwd: REPOSITORY, env });
  }

  /** The end of the process's output, for error messages. */
  override get output(): string {
    const lines = this.log.slice(-60).map((line) => JSON.stringify(line));
    return `--- ${this.name} (pid ${this.pid}) ---\n${lines.join('\n')}\n${this.stderr.slice(-4000)}`;
  }

  /** Returns the first log line with this message, if any. */
  said(message: string): LogLine | undefined {
    return this.log.find(({ msg }) => msg === message);
  }

  /** Resolves with the first log line with this message; rejects if the process ends without it. */
  async says(message: string, timeoutMs = READY_DEADLINE_MS): Promise<LogLine> {
    const giveUp = () => this.failure;
    try {
      return await eventually(() => this.said(message) ?? false, { timeoutMs, giveUp });
    } catch (cause) {
      throw new Error(`${this.name} did not say "${message}"\n${this.output}`, { cause });
    }
  }

  async operationsUrl(): Promise<string> {
    const { port } = await this.says('serving probes and metrics');
    return `http://127.0.0.1:${Number(port)}`;
  }

  /** Returns the sum of a metric over all labels; 0 without samples. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${await this.operationsUrl()}/metrics`)).text();
    const samples = text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
    return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
  }

  protected override heard(piece: string): void {
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
