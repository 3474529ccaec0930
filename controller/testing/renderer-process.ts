/**
 * A renderer in a separate process, for tests. Arguments: Redis URL, prefix, lock in milliseconds and store directory.
 * Data with the word KILLER kills the process: immediately if it is the only document, otherwise once every slot is
 * taken. A document that runs alongside a killer never finishes.
 */
import { renderInto } from './scripted-renderer.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { BullMqQueue } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { TASK_KEYS } from '@trifold/platform/render-queue/conformance/sample-tasks.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';

const CONCURRENCY = 4;
const [url, prefix, lockMs, root = ''] = process.argv.slice(2);
const store = new DirectoryStore({ root });
const queue = new BullMqQueue({
  taskKeys: TASK_KEYS,
  redis: loadRedisConfig({ TRIFOLD_REDIS_URL: url, TRIFOLD_REDIS_PREFIX: prefix }),
  logger: createLogger({ name: 'renderer', level: 'silent' }),
  lockMs: Number(lockMs),
});
const forever = new Promise<RenderOutcome>(() => undefined);
let inFlight = 0;
/** Number of documents that never finish: the killer, and the documents running alongside it. */
let doomed = 0;

queue.work(
  async (task) => {
    inFlight += 1;
    const { id, exclusive = false } = task;
    // Written before the process can be killed.
    process.stdout.write(`begins ${id} ${exclusive ? 'alone' : 'shared'} with ${inFlight - 1}\n`);
    const data = task.data ?? (await store.read(task.dataKey));
    if (doomed > 0 || data?.includes('KILLER')) {
      doomed += 1;
      if (exclusive || doomed === CONCURRENCY) process.kill(process.pid, 'SIGKILL');
      return forever;
    }
    const outcome = await renderInto(store, task, systemClock.now());
    inFlight -= 1;
    return outcome;
  },
  { concurrency: CONCURRENCY },
);
