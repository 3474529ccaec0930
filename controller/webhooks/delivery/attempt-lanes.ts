import type { Clock } from '@trifold/platform/service/clock.ts';
import { CallbackLane } from './callback-lane.ts';
import { ConnectionShares } from './connection-shares.ts';
import { Lane, type Callback, type LaneTask } from './lane.ts';

export interface AttemptLanesOptions {
  /**
   * Attempts under way at once, without slow ones and the reserve: of the former there may be half as many besides, of
   * the latter as many.
   */
  readonly most: number;
  /** Of one lane, slow ones among them. */
  readonly mostPerLane: number;
  readonly clock: Clock;
}

/** Of a lane whose attempts fail, or of which none has succeeded yet: enough to see that it works. */
const MOST_OF_UNPROVEN_LANE = 2;
/** Of a lane that is slow, where there is not plenty. */
const MOST_OF_SLOW_LANE = 1;

/** What may begin. */
interface Next {
  readonly task: LaneTask;
  readonly isReserve: boolean;
}

/**
 * Shares connections among endpoints: each lane has so many at most and lanes take turns, so that one that hangs keeps
 * nobody waiting. A lane begins with two and has its whole share from its first success on; while it fails it has two
 * again, and all that fail together have half of what there is, as any one account (see ConnectionShares). One that is
 * slow, though it succeed, has its whole share only as long as there is plenty. A lane of an endpoint that has no
 * attempt under way, and is not known to fail or to be slow, takes its next from the reserve when nothing else is left:
 * as long as there is some, it is sent one event after the other. The callbacks of an account are one lane (see CallbackLane).
 */
export class AttemptLanes {
  readonly #options: AttemptLanesOptions;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane | CallbackLane>();
  readonly #shares: ConnectionShares;
  readonly #keys = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #ofFailing = 0;
  #closed = false;

  constructor(options: AttemptLanesOptions) {
    this.#options = options;
    this.#shares = new ConnectionShares(options);
  }

  /** Attempts under way. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether the task waits or runs. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Runs the task when its turn comes; nothing is done for one that is there already, or after `close`. */
  add(task: LaneTask): void {
    if (this.#closed || this.#keys.has(task.key)) return;
    this.#keys.add(task.key);
    this.#laneOf(task).add(task);
    if (task.isFailing === true) this.setFailing(task.lane, true);
    this.#pump();
  }

  /** Takes a task away that has not begun; whether there was one. */
  remove(lane: string, key: string): boolean {
    const found = this.#lanes.get(lane);
    if (!found?.remove(key)) return false;
    this.#keys.delete(key);
    this.#dropIfIdle(lane, found);
    return true;
  }

  /** Whether a callback of the lane succeeded. */
  noteCallback(lane: string, callback: Callback, succeeded: boolean): void {
    const found = this.#lanes.get(lane);
    if (!(found instanceof CallbackLane)) return;
    found.note(callback, succeeded);
    this.#pump();
  }

  /** Whether what the lane of an endpoint sends fails at present, as its last attempt has shown. */
  setFailing(lane: string, failing: boolean): void {
    const found = this.#lanes.get(lane);
    if (!(found instanceof Lane) || found.failing === failing) return;
    if (found.failing === true) this.#ofFailing -= found.running;
    if (failing) this.#ofFailing += found.running;
    found.failing = failing;
    this.#pump();
  }

  /** Begins nothing any more and resolves when nothing runs. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const lane of this.#lanes.values()) {
      for (const key of lane.waiting.keys()) this.#keys.delete(key);
      lane.clear();
    }
    await Promise.all(this.#running);
  }

  #laneOf({ lane: name, isSlow = false, callback }: LaneTask): Lane | CallbackLane {
    const make = () => (callback ? new CallbackLane(this.#options) : new Lane(isSlow));
    const lane = this.#lanes.get(name) ?? make();
    this.#lanes.set(name, lane);
    return lane;
  }

  #pump(): void {
    while (this.#startNext());
  }

  #startNext(): boolean {
    for (const [name, lane] of this.#lanes) {
      const next = this.#nextOf(lane);
      if (!next) continue;
      // Behind all the others for the next turn.
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      this.#start(name, lane, next);
      return true;
    }
    return false;
  }

  #nextOf(lane: Lane | CallbackLane): Next | undefined {
    if (lane instanceof Lane && lane.running >= this.#options.mostPerLane) return undefined;
    const task = lane.first();
    if (!task) return undefined;
    // All of a lane are of one account.
    if (this.#hasRoom(lane, task.account)) return { task, isReserve: false };
    return this.#hasReserve(lane, task.account) ? { task, isReserve: true } : undefined;
  }

  #hasRoom(lane: Lane | CallbackLane, account: string): boolean {
    if (!this.#shares.hasRoomFor(account)) return false;
    if (lane instanceof CallbackLane) return true;
    if (lane.running >= this.#mostOf(lane, account)) return false;
    return lane.failing !== true || this.#ofFailing < this.#shares.half;
  }

  #hasReserve(lane: Lane | CallbackLane, account: string): boolean {
    if (lane instanceof CallbackLane || lane.running > 0 || lane.failing === true || lane.isSlow)
      return false;
    return this.#shares.hasReserveFor(account);
  }

  #mostOf({ failing, isSlow }: Lane, account: string): number {
    const { mostPerLane } = this.#options;
    if (isSlow && !this.#shares.hasPlentyFor(account)) return MOST_OF_SLOW_LANE;
    return failing === false ? mostPerLane : Math.min(MOST_OF_UNPROVEN_LANE, mostPerLane);
  }

  #start(name: string, lane: Lane | CallbackLane, { task, isReserve }: Next): void {
    lane.begin(task);
    this.#count(lane, 1);
    let isSlow = false;
    const giveBack = this.#shares.take({
      account: task.account,
      isReserve,
      onSlow: () => {
        isSlow = true;
        lane.noteSlow(task);
        this.#pump();
      },
    });
    const running = task.run().finally(() => {
      this.#running.delete(running);
      this.#keys.delete(task.key);
      giveBack();
      lane.end(task, isSlow);
      this.#count(lane, -1);
      this.#dropIfIdle(name, lane);
      this.#pump();
    });
    this.#running.add(running);
  }

  #count(lane: Lane | CallbackLane, change: 1 | -1): void {
    if (lane instanceof Lane && lane.failing === true) this.#ofFailing += change;
  }

  #dropIfIdle(name: string, lane: Lane | CallbackLane): void {
    if (lane.isIdle) this.#lanes.delete(name);
  }
}
