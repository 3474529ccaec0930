import { fileURLToPath } from 'node:url';
import { eventually } from '@trifold/test-support/eventually.ts';
import { OwnedProcess } from '@trifold/test-support/processes/owned-process.ts';

const PROGRAM = fileURLToPath(new URL('worker-process.ts', import.meta.url));

/** A worker with two slots in a separate process that a test can kill. Its tasks never end on their own. */
export class WorkerProcess extends OwnedProcess {
  private constructor(url: string, prefix: string, lockMs: number) {
    const env = { ...process.env, TRIFOLD_REDIS_URL: url, TRIFOLD_REDIS_PREFIX: prefix };
    super('the worker', process.execPath, [PROGRAM, String(lockMs)], { env });
  }

  static async start(url: string, prefix: string, lockMs: number): Promise<WorkerProcess> {
    const worker = new WorkerProcess(url, prefix, lockMs);
    await eventually(() => worker.stdout.includes('ready\n'), { giveUp: () => worker.failure });
    return worker;
  }

  /** IDs of the tasks it began, in order. */
  get begun(): string[] {
    return Array.from(this.stdout.matchAll(/^begins (.+)$/gm), ([, id]) => String(id));
  }
}
