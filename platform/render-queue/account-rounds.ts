import type { Redis } from 'ioredis';
import { PRIORITY_LIMIT } from 'bullmq';
import { roundsKey, taskKey, waitingTasksKey } from './bullmq/bullmq-keys.ts';
import type { RenderTask } from './port.ts';

/** BullMQ's score of a waiting job is its priority times this, plus its position among jobs of the same priority. */
const PRIORITY_STEP = 2 ** 32;

/**
 * Fairness between accounts is start-time fair queueing with BullMQ's priorities as the rounds: the first task of an
 * account joins the current round, and each further task joins the round after the account's last one. So a round holds
 * one task of each account, and rounds are served in order. Rounds restart at 1 when no task waits. If a queue does not
 * become empty for 2,097,152 rounds (BullMQ's maximum priority), all further tasks share the last round, first come,
 * first served, until the queue is empty.
 *
 * Returns 0 when the queue already knows the task, so that adding it again costs its account no turn.
 */
const NEXT_ROUND = `
if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
local head = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local served = 1
if head[2] then
  served = math.floor(tonumber(head[2]) / ${PRIORITY_STEP})
else
  redis.call('DEL', KEYS[2])
end
local last = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
local round = math.min(math.max(served, last + 1), ${PRIORITY_LIMIT})
redis.call('HSET', KEYS[2], ARGV[1], round)
return round
`;

/** Returns the priority to add a task with; undefined when its queue already knows it. */
export async function nextRound(
  client: Redis,
  prefix: string,
  task: RenderTask,
): Promise<number | undefined> {
  const { queue, id, account } = task;
  const keys = [waitingTasksKey(prefix, queue), roundsKey(prefix, queue), taskKey(prefix, queue, id)];
  const round = Number(await client.eval(NEXT_ROUND, keys.length, ...keys, account));
  return round === 0 ? undefined : round;
}
