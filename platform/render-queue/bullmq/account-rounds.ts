import type { Redis } from 'ioredis';
import { PRIORITY_LIMIT } from 'bullmq';
import type { Priority } from '../../scheduling/priority.ts';

/** Returns the round of an account's next task. */
const NEXT = `
local last, current, newest = unpack(redis.call('HMGET', KEYS[1], ARGV[1], ':current', ':newest'))
local round = math.min(math.max(tonumber(current or 1), (last or 0) + 1), ${PRIORITY_LIMIT})
redis.call('HSET', KEYS[1], ARGV[1], round, ':newest', math.max(round, tonumber(newest or 0)))
return round
`;

/** Advances the current round to a task's round, or past all rounds when no task is waiting. */
const ADVANCE = `
local current, newest = unpack(redis.call('HMGET', KEYS[1], ':current', ':newest'))
local round = tonumber(ARGV[1]) or (newest or 0) + 1
if round > ${PRIORITY_LIMIT / 2} and ARGV[1] == '' then
  redis.call('DEL', KEYS[1])
elseif round > tonumber(current or 1) then
  redis.call('HSET', KEYS[1], ':current', round)
end
`;

/**
 * Fairness between the accounts of a queue is start-time fair queueing with BullMQ's priorities as the rounds: the
 * first task of an account joins the current round, and each further task joins the round after the account's last one.
 * So a round contains one task of each account, and rounds are served in order. The current round is the round of the
 * last task taken. Rounds restart at 1 when no task is waiting and half of BullMQ's 2,097,152 priorities are used. If
 * tasks wait until all are used, all further tasks share the last round, first come, first served, until no task is
 * waiting.
 *
 * The rounds are in a separate hash: `:current`, `:newest`, and the last round of each account.
 */
export class AccountRounds {
  readonly #redis: Redis;
  readonly #key: string;
  #current = 0;

  constructor(redis: Redis, prefix: string, queue: Priority) {
    this.#redis = redis;
    this.#key = `${prefix}:${queue}:rounds`;
  }

  /** Gives an account its next turn and returns the round. */
  async next(account: string): Promise<number> {
    return Number(await this.#redis.eval(NEXT, 1, this.#key, account));
  }

  /** Reverts the account's last turn: its task was not added. */
  async cancel(account: string): Promise<void> {
    await this.#redis.hincrby(this.#key, account, -1);
  }

  /** A worker took a task from this round. */
  taken(round: number): void {
    if (round <= this.#current) return;
    this.#current = round;
    this.#advance(String(round));
  }

  /** A worker found the queue empty. */
  empty(): void {
    this.#current = 0;
    this.#advance('');
  }

  #advance(round: string): void {
    // If this fails, new accounts get an earlier turn.
    this.#redis.eval(ADVANCE, 1, this.#key, round).catch(() => undefined);
  }
}
