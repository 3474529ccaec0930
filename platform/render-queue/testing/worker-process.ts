/** A separate process with one worker, for tests. Writes a line when it is ready and one for each task that it begins. */
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../../process/logging.ts';
import { BullMqQueue } from '../bullmq/bullmq-queue.ts';
import { COMPLETED, TASK_KEYS } from '../conformance/sample-tasks.ts';
import { loadRedisConfig } from '../../redis/redis-config.ts';

const [lockMs] = process.argv.slice(2);
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
    // No task ends on its own.
    return pause(2 ** 31 - 1, COMPLETED, { signal });
  },
  { concurrency: 2 },
);
process.once('SIGTERM', () => {
  void worker
    .close(0)
    .then(() => queue.close())
    .then(() => process.exit(0));
});
await queue.check();
say('ready');
