import { availableParallelism } from 'node:os';
import { BoundedPool } from '../../child-process/bounded-pool.ts';
import { BOUNDS } from '../../bounds/bounds.ts';
import type { CheckKind, CheckReply, CheckRequest, Checks } from './check-messages.ts';

/** Resource limits for one check. */
export interface CheckLimits {
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
  /** JavaScript memory, in MiB. */
  readonly memoryMib: number;
}

/** The slowest valid schema takes about 2 s, the slowest valid template about 1 s and 100 MiB. */
const LIMITS: CheckLimits = { timeoutMs: 5_000, memoryMib: 256 };
/** Maximum number of one account's checks waiting for a process. */
const MAX_WAITING = 256;

/** A check's account and cancellation signal. */
export interface CheckTurn {
  /** While checks are waiting, accounts take turns, one check each. */
  readonly account: string;
  /** Aborts the check, or the wait for it, with the signal's reason. @default the check cannot be aborted */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/** Checks input in processes with limited time and memory. Accounts take turns. The first check starts a process. */
export class CheckPool {
  readonly limits: CheckLimits;
  readonly #processes: BoundedPool<CheckRequest, CheckReply>;

  /** @param limits for one check. @default 5 s and 256 MiB */
  constructor(limits: CheckLimits = LIMITS) {
    this.limits = limits;
    this.#processes = new BoundedPool({
      ...limits,
      entry: new URL('./check-process.ts', import.meta.url),
      workers: Math.min(BOUNDS.checks.limit.value, availableParallelism()),
      maxWaiting: MAX_WAITING,
    });
  }

  /** Runs one check. Rejects with ChildProcessError, or the signal's reason. */
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
