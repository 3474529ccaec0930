import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@trifold/test-support/eventually.ts';

const PROGRAM = fileURLToPath(new URL('worker-process.ts', import.meta.url));

export interface WorkerProcessOptions {
  readonly url: string;
  readonly prefix: string;
  /** Duration of a task; with `never`, tasks do not end. @default never */
  readonly taskMs?: number | 'never';
  /** @default 20_000 */
  readonly lockMs?: number;
  /** @default 2 */
  readonly concurrency?: number;
}

/** A worker in a separate process, which a test can kill. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';

  private constructor({ url, prefix, ...options }: WorkerProcessOptions) {
    const { taskMs = 'never', lockMs = 20_000, concurrency = 2 } = options;
    this.#child = spawn(process.execPath, [PROGRAM, String(taskMs), String(lockMs), String(concurrency)], {
      env: { ...process.env, TRIFOLD_REDIS_URL: url, TRIFOLD_REDIS_PREFIX: prefix },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#child, 'close');
    this.#child.stdout?.on('data', (piece: Buffer) => {
      this.#output += piece.toString();
    });
  }

  static async start(options: WorkerProcessOptions): Promise<WorkerProcess> {
    const worker = new WorkerProcess(options);
    await eventually(() => worker.#output.includes('ready\n'), {
      giveUp: () => (worker.#child.exitCode === null ? undefined : new Error('it ended')),
    });
    return worker;
  }

  /** Ids of the tasks that it began, in order. */
  get begun(): string[] {
    return Array.from(this.#output.matchAll(/^begins (.+)$/gm), ([, id]) => String(id));
  }

  /** Kills the process with SIGKILL, without any cleanup. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Sends SIGTERM, as Kubernetes does. */
  async terminate(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}
