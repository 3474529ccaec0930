import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import type { BullMqLine } from './bullmq-line.ts';
import { mayRunAgain, outcomeOf } from '../handler-outcome.ts';
import type { QueueWorker, RenderOutcome, TaskHandler } from '../port.ts';
import { QueueTurns } from '../queue-turns.ts';
import { RedisError } from '../../redis/redis-error.ts';
import type { TaskLease } from './task-lease.ts';
import type { WorkerSlots } from '../worker-slots.ts';

/** Time that an aborted handler has to return an outcome. */
const ABORT_MS = 2000;
/** Timeout for putting tasks back on close: Redis may be down. */
const PUT_BACK_MS = 3000;
/** Attempts to report an outcome while Redis is down, and the longest pause between them: about a minute in total. */
const REPORT_ATTEMPTS = 34;
const REPORT_PAUSE_MS = 2000;

/** The part of a line that a worker uses. */
export type WorkerLine = Pick<
  BullMqLine,
  'queue' | 'mayHoldWork' | 'owesMarker' | 'take' | 'renew' | 'releaseStalled' | 'wakeOthers' | 'close'
>;

/** A task that a handler is processing. */
interface ActiveTask {
  readonly abort: AbortController;
  readonly line: WorkerLine;
  /** Replaced when the queue hands out the same task again. */
  lease: TaskLease;
  /** This worker no longer holds the task's lock. */
  lost: boolean;
  /** The worker has closed: the outcome is not reported. */
  dropped: boolean;
  readonly done: Promise<void>;
}

export interface BullMqWorkerOptions {
  readonly handler: TaskHandler;
  readonly slots: WorkerSlots;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Interval of lock renewal and of the scan for tasks of dead workers, in milliseconds. */
  readonly checkMs: number;
  /** Creates the interactive and the batch line, which call back when they may hold work. */
  readonly lines: (wake: () => void) => readonly [WorkerLine, WorkerLine];
  readonly closed: () => void;
}

/**
 * Runs a handler on the tasks of both queues. A task is fetched only when there is a slot for it, so that no task waits
 * in one worker while another has a free slot. BullMQ's own worker loop serves one queue and has no slots shared by
 * queues.
 *
 * A slot is freed even if Redis does not accept the outcome: the result is in the object store, and the controller
 * looks there when the queue has forgotten the task.
 */
export class BullMqWorker implements QueueWorker {
  readonly #options: BullMqWorkerOptions;
  readonly #lines: readonly [interactive: WorkerLine, batch: WorkerLine];
  readonly #turns = new QueueTurns();
  readonly #inHand = new Map<string, ActiveTask>();
  #filling: Promise<void> | undefined;
  #isFilling = false;
  #fillAgain = false;
  #cancelCheck: () => void;
  #closing: Promise<void> | undefined;

  constructor(options: BullMqWorkerOptions) {
    this.#options = options;
    this.#lines = options.lines(() => this.#wake());
    this.#cancelCheck = this.#scheduleCheck();
    this.#wake();
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  #wake(): void {
    this.#fillAgain = true;
    if (!this.#isFilling) this.#filling = this.#fill();
  }

  /** Takes tasks until no task or no slot is left. Never rejects. */
  async #fill(): Promise<void> {
    this.#isFilling = true;
    while (this.#fillAgain) {
      this.#fillAgain = false;
      for (let line = this.#nextLine(); line; line = this.#nextLine()) {
        const lease = await line.take();
        if (lease) await this.#accept(line, lease);
      }
      for (const line of this.#lines) if (line.owesMarker) await this.#wakeOthers(line);
    }
    // Synchronous with the last check: a wake-up between the two would be lost.
    this.#isFilling = false;
  }

  #nextLine(): WorkerLine | undefined {
    if (this.#closing) return undefined;
    const { slots } = this.#options;
    const [first, second] = this.#lines.filter((line) => line.mayHoldWork && slots.isFree(line.queue));
    return second && this.#turns.next() === 'batch' ? second : first;
  }

  async #accept(line: WorkerLine, lease: TaskLease): Promise<void> {
    const { id } = lease;
    const known = this.#inHand.get(id);
    if (known) {
      // Redis lost the lock or considered this worker dead. The task continues under the new lock.
      known.lease = lease;
      known.lost = false;
    } else if (this.#closing) {
      await this.#giveBack(line, lease);
    } else {
      this.#start(line, lease);
    }
  }

  #start(line: WorkerLine, lease: TaskLease): void {
    const done = Promise.withResolvers<void>();
    const abort = new AbortController();
    const inHand: ActiveTask = { abort, line, lease, lost: false, dropped: false, done: done.promise };
    this.#options.slots.take(line.queue, lease.task.exclusive);
    this.#inHand.set(lease.id, inHand);
    void this.#run(inHand).then(done.resolve);
  }

  /** Never rejects. */
  async #run(inHand: ActiveTask): Promise<void> {
    const { abort, lease, line } = inHand;
    const outcome = lease.foregone ?? (await this.#outcome(inHand));
    if (!outcome || (abort.signal.aborted && mayRunAgain(outcome))) await this.#putBack(inHand);
    else await this.#report(inHand, outcome);
    if (inHand.dropped) return;
    this.#inHand.delete(lease.id);
    this.#options.slots.free(line.queue, lease.task.exclusive);
    this.#wake();
  }

  /** Returns undefined when an exclusive task did not begin. Never rejects. */
  async #outcome(inHand: ActiveTask): Promise<RenderOutcome | undefined> {
    const { abort, lease } = inHand;
    if (lease.task.exclusive && !(await this.#beginExclusive(inHand))) return undefined;
    return outcomeOf(this.#options.handler, lease.task, abort.signal);
  }

  /** Returns false when the worker closes first, when the queue took the task away, or when Redis does not answer. */
  async #beginExclusive(inHand: ActiveTask): Promise<boolean> {
    await this.#options.slots.alone();
    if (this.#closing || inHand.lost) return false;
    try {
      await inHand.lease.begin();
      return true;
    } catch {
      // The outage is logged elsewhere. The task goes back, or waits until its lock expires.
      return false;
    }
  }

  /** Reports the outcome to the queue, retrying for at most a minute while Redis is down. Never rejects. */
  async #report(inHand: ActiveTask, outcome: RenderOutcome): Promise<void> {
    const { clock, logger } = this.#options;
    const { id } = inHand.lease;
    let failure: unknown;
    for (let attempt = 0; attempt < REPORT_ATTEMPTS && !inHand.dropped; attempt += 1) {
      const { lease } = inHand;
      try {
        const taken = await lease.complete(outcome);
        if (!taken && lease !== inHand.lease) continue;
        if (!taken) logger.info({ task: id }, 'finished task is no longer active in the queue');
        return;
      } catch (error) {
        failure = error;
      }
      const pauseMs = Math.min(REPORT_PAUSE_MS, 100 * 2 ** attempt);
      await new Promise<void>((resolve) => void clock.schedule(pauseMs, resolve));
    }
    if (failure) logger.warn({ err: new RedisError(failure), task: id }, 'failed to report an outcome');
  }

  async #putBack(inHand: ActiveTask): Promise<void> {
    if (!inHand.dropped && !inHand.lost) await this.#giveBack(inHand.line, inHand.lease);
  }

  /** Never rejects: a task that cannot be put back is recovered when its lock expires. */
  async #giveBack(line: WorkerLine, lease: TaskLease): Promise<void> {
    try {
      if (await lease.giveBack()) await line.wakeOthers();
    } catch (error) {
      const about = { err: new RedisError(error), task: lease.id };
      this.#options.logger.warn(about, 'failed to return a task, it waits until its lock expires');
    }
  }

  async #wakeOthers(line: WorkerLine): Promise<void> {
    try {
      await line.wakeOthers();
    } catch {
      // Other workers poll after a few seconds.
    }
  }

  #scheduleCheck(): () => void {
    const { checkMs, clock } = this.#options;
    return clock.schedule(checkMs, () => {
      void this.#check().then(() => {
        if (!this.#closing) this.#cancelCheck = this.#scheduleCheck();
      });
    });
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    await Promise.all(
      this.#lines.map(async (line) => {
        try {
          await this.#renew(line);
          await line.releaseStalled();
        } catch {
          // The outage is logged elsewhere; the next check comes soon.
        }
      }),
    );
  }

  async #renew(line: WorkerLine): Promise<void> {
    const own = [...this.#inHand.values()].filter((inHand) => inHand.line === line && !inHand.lost);
    const lost = await line.renew(own.map(({ lease }) => lease));
    for (const id of lost) {
      const inHand = this.#inHand.get(id);
      if (!inHand) continue; // finished in the meantime
      inHand.lost = true;
      this.#options.logger.warn({ task: id }, 'task of this renderer is not active in the queue');
    }
  }

  async #close(graceMs: number): Promise<void> {
    await this.#filling;
    await this.#settled(graceMs);
    for (const { abort } of this.#inHand.values()) abort.abort(new Error('the worker is closing'));
    await this.#settled(ABORT_MS);
    this.#cancelCheck();
    await this.#within(PUT_BACK_MS, this.#putAllBack());
    await Promise.all(this.#lines.map((line) => line.close()));
    this.#options.closed();
  }

  async #putAllBack(): Promise<void> {
    const left = [...this.#inHand.values()];
    const own = left.filter(({ lost }) => !lost);
    this.#inHand.clear();
    for (const inHand of left) inHand.dropped = true;
    await Promise.all(own.map(({ line, lease }) => this.#giveBack(line, lease)));
    // This worker may just have popped a marker.
    await Promise.all(this.#lines.map((line) => this.#wakeOthers(line)));
  }

  /** Waits for the active tasks, at most `milliseconds`. */
  async #settled(milliseconds: number): Promise<void> {
    const all = Array.from(this.#inHand.values(), ({ done }) => done);
    if (all.length > 0) await this.#within(milliseconds, Promise.all(all));
  }

  async #within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = this.#options.clock.schedule(milliseconds, late.resolve);
    await Promise.race([late.promise, promise]);
    cancel();
  }
}
