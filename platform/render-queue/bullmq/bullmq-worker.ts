import type { Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import type { BullMqLine } from './bullmq-line.ts';
import { mayRunAgain, outcomeOf } from '../handler-outcome.ts';
import type { QueueWorker, RenderOutcome, TaskHandler } from '../port.ts';
import { QueueTurns } from '../queue-turns.ts';
import { RedisError } from '../../redis/redis-error.ts';
import type { TaskLease } from './task-lease.ts';
import type { WorkerSlots } from '../worker-slots.ts';

/** How long an aborted handler may take to say what became of its task. */
const ABORT_MS = 2000;
/** What putting tasks back at the end may take: Redis may be away. */
const PUT_BACK_MS = 3000;
/** How often an outcome is reported while Redis is away, and in what pauses at most: for a minute, about. */
const REPORT_ATTEMPTS = 34;
const REPORT_PAUSE_MS = 2000;

/** What a worker needs of a line. */
export type WorkerLine = Pick<
  BullMqLine,
  'queue' | 'mayHoldWork' | 'owesMarker' | 'take' | 'renew' | 'releaseStalled' | 'wakeOthers' | 'close'
>;

/** A task that a handler works on. */
interface ActiveTask {
  readonly abort: AbortController;
  readonly line: WorkerLine;
  /** Another one when the queue handed the task out anew. */
  lease: TaskLease;
  /** The queue does not have it in this worker's hand any more. */
  lost: boolean;
  /** The worker has closed: whatever becomes of it is told to nobody. */
  dropped: boolean;
  readonly done: Promise<void>;
}

export interface BullMqWorkerOptions {
  readonly handler: TaskHandler;
  readonly slots: WorkerSlots;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often locks are renewed and dead workers' tasks are looked for, in milliseconds. */
  readonly checkMs: number;
  /** Makes the interactive and the batch line, which call back when they may hold work. */
  readonly lines: (wake: () => void) => readonly [WorkerLine, WorkerLine];
  readonly closed: () => void;
}

/**
 * Runs a handler on the tasks of both queues. A task is fetched only when there is a slot for it, so that none waits
 * in the hand of a worker while another has time: BullMQ's own worker loop knows one queue and no slots beyond it.
 *
 * A slot comes free whatever Redis says to the outcome: the result is in the object store, and the controller looks
 * there when the queue has forgotten the task.
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

  /** Takes tasks until there is none or no slot for it. Never rejects. */
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
    // In the same breath as the last look: a sign of work that came between the two would be lost.
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
      // Redis forgot that this worker has it, or took it for dead. It goes on as it was, under the new lock.
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

  /** Undefined when an exclusive task did not begin. Never rejects. */
  async #outcome(inHand: ActiveTask): Promise<RenderOutcome | undefined> {
    const { abort, lease } = inHand;
    if (lease.task.exclusive && !(await this.#beginExclusive(inHand))) return undefined;
    return outcomeOf(this.#options.handler, lease.task, abort.signal);
  }

  /** False when the worker closes first, when the queue took the task away, or when Redis does not answer. */
  async #beginExclusive(inHand: ActiveTask): Promise<boolean> {
    await this.#options.slots.alone();
    if (this.#closing || inHand.lost) return false;
    try {
      await inHand.lease.begin();
      return true;
    } catch {
      // The outage is logged elsewhere. The task goes back, or waits until its lock runs out.
      return false;
    }
  }

  /** Tells the queue, for a minute at most while Redis is away. Never rejects. */
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

  /** Never rejects: a task that cannot be put back now is found when its lock runs out. */
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
      // They look for themselves after a few seconds.
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
          // Redis is away, which is said elsewhere; the next check comes soon.
        }
      }),
    );
  }

  async #renew(line: WorkerLine): Promise<void> {
    const own = [...this.#inHand.values()].filter((inHand) => inHand.line === line && !inHand.lost);
    const lost = await line.renew(own.map(({ lease }) => lease));
    for (const id of lost) {
      const inHand = this.#inHand.get(id);
      if (!inHand) continue; // finished meanwhile
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
    // The sign of work that this worker waited for may just have reached it.
    await Promise.all(this.#lines.map((line) => this.#wakeOthers(line)));
  }

  /** Waits for what is in hand, for a time at most. */
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
