import { availableParallelism } from 'node:os';
import { BoundedPool } from '../../child-process/bounded-pool.ts';
import type { CheckKind, CheckReply, CheckRequest, Checks } from './check-messages.ts';

/** What one check may use. */
export interface CheckLimits {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** MiB of JavaScript memory. */
  readonly memoryMib: number;
}

/** The slowest schema that is allowed takes about 2 s, the slowest template about 1 s and 100 MiB. */
const LIMITS: CheckLimits = { timeoutMs: 5_000, memoryMib: 256 };
/** A second process, so that one slow check does not delay the checks of other accounts. */
const MOST_WORKERS = 2;
/** Checks of one account that may wait for a process. */
const MOST_WAITING = 256;

/** For whom a check is made. */
export interface CheckTurn {
  /** While checks wait, accounts have turns, one check each. */
  readonly account: string;
  /** Ends the check, or the wait for it, with its reason. @default nothing ends it early */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/**
 * Checks input in processes bounded in time and memory, with turns between accounts. The first check starts a process.
 */
export class CheckPool {
  readonly limits: CheckLimits;
  readonly #processes: BoundedPool<CheckRequest, CheckReply>;

  /** @param limits of one check. @default 5 s and 256 MiB */
  constructor(limits: CheckLimits = LIMITS) {
    this.limits = limits;
    this.#processes = new BoundedPool({
      ...limits,
      entry: new URL('./check-process.ts', import.meta.url),
      workers: Math.min(MOST_WORKERS, availableParallelism()),
      mostWaiting: MOST_WAITING,
    });
  }

  /**
   * Makes one check. Rejects with TimeLimitError, ChildEnded (its `outOfMemory` tells whether the check needed too much
   * memory), PoolFullError when too many checks wait, or the signal's reason.
   */
  async ask<K extends CheckKind>(
    kind: K,
    request: Checks[K]['request'],
    { account, signal = NEVER }: CheckTurn,
  ): Promise<CheckReply<K>> {
    const message = { ...request, kind, timeoutMs: this.limits.timeoutMs } as CheckRequest;
    return this.#processes.run((process) => process.ask(message), { account, signal });
  }

  /** Kills the processes. */
  async stop(): Promise<void> {
    await this.#processes.stop();
  }
}
