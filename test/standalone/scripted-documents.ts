/**
 * Test module, loaded before the service (`--import`): the data of a document controls its effect on the process.
 * KILLER kills the process when it runs alone; next to other documents, all of them run until the process is killed.
 * ENDLESS runs until it is aborted. Each document that starts adds a line to the file that TRIFOLD_TEST_BEGUN names.
 */
import { appendFileSync } from 'node:fs';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type {
  QueueWorker,
  RenderOutcome,
  TaskHandler,
  WorkerOptions,
} from '@trifold/platform/render-queue/port.ts';

type Work = (this: InProcessQueue, handler: TaskHandler, options: WorkerOptions) => QueueWorker;

const file = process.env['TRIFOLD_TEST_BEGUN'] ?? '';
const work: Work = Reflect.get(InProcessQueue.prototype, 'work');
let besideKiller = false;

function scripted(handler: TaskHandler): TaskHandler {
  return async (task, signal) => {
    const { data = '', exclusive = false } = task;
    const [kind = 'ordinary'] = /KILLER|ENDLESS/.exec(data) ?? [];
    appendFileSync(file, `${kind} ${exclusive ? 'alone' : 'shared'}\n`);
    besideKiller ||= kind === 'KILLER';
    if (besideKiller && exclusive) process.kill(process.pid, 'SIGKILL');
    if (!besideKiller && kind === 'ordinary') return handler(task, signal);
    const { promise, reject } = Promise.withResolvers<RenderOutcome>();
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    return promise;
  };
}

InProcessQueue.prototype.work = function (handler, options) {
  return work.call(this, scripted(handler), options);
};
