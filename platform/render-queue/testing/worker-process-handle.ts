import { fileURLToPath } from 'node:url';
import { eventually } from '@trifold/test-support/eventually.ts';
import { OwnedProcess } from '@trifold/test-support/processes/owned-process.ts';

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
export class WorkerProcess extends OwnedProcess {
  private constructor({ url, prefix, ...options }: WorkerProcessOptions) {
    const { taskMs = 'never', lockMs = 20_000, concurrency = 2 } = options;
    const args = [PROGRAM, String(taskMs), String(lockMs), String(concurrency)];
    const env = { ...process.env, TRIFOLD_REDIS_URL: url, TRIFOLD_REDIS_PREFIX: prefix };
    super('the worker', process.execPath, args, { env });
  }

  static async start(options: WorkerProcessOptions): Promise<WorkerProcess> {
    const worker = new WorkerProcess(options);
    await eventually(() => worker.stdout.includes('ready\n'), { giveUp: () => worker.failure });
    return worker;
  }

  /** Ids of the tasks that it began, in order. */
  get begun(): string[] {
    return Array.from(this.stdout.matchAll(/^begins (.+)$/gm), ([, id]) => String(id));
  }
}
