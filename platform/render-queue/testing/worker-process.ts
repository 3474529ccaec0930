/**
 * A separate process with one worker, for tests. Writes a line when it is ready and one for each task that it begins. A
 * task ends after the milliseconds in the first argument; with `never` it does not end.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../../service/logging.ts';
import { BullMqQueue } from '../bullmq/bullmq-queue.ts';
import { COMPLETED, TASK_KEYS } from '../conformance/sample-tasks.ts';
import { loadRedisConfig } from '../../redis/redis-config.ts';

const [taskMs = 'never', lockMs = '20000', concurrency = '2'] = process.argv.slice(2);
const queue = new BullMqQueue({
  taskKeys: TASK_KEYS,
  redis: loadRedisConfig(process.env),
  logger: createLogger({ name: 'worker', level: 'silent' }),
  lockMs: Number(lockMs),
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const worker = queue.work(
  async (task, signal) => {
    say(`begins ${task.id}`);
    await pause(taskMs === 'never' ? 2 ** 31 - 1 : Number(taskMs), undefined, { signal });
    say(`ends ${task.id}`);
    return COMPLETED;
  },
  { concurrency: Number(concurrency) },
);
process.once('SIGTERM', () => {
  void worker
    .close(0)
    .then(() => queue.close())
    .then(() => process.exit(0));
});
await queue.check();
say('ready');
