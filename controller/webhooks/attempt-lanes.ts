import type { Clock } from '@trifold/platform/clock.ts';
import { ConnectionShares } from './connection-shares.ts';

/** An attempt that is to be made. */
export interface LaneTask {
  /** Unique among the tasks that wait or run. */
  readonly key: string;
  /** Endpoint: those of one lane share its connections. */
  readonly lane: string;
  readonly account: string;
  /** Of one group and lane one runs at a time. */
  readonly group?: string;
  /** Whether what the lane sends fails at present. */
  readonly isFailing?: boolean;
  /** Whether the last attempt of the lane was slow, where it was idle since. */
  readonly isSlow?: boolean;
  /** Whether it goes to the URL of one request instead of an endpoint: that has no part in the reserve. */
  readonly isCallback?: boolean;
  /** Never rejects. */
  run(): Promise<void>;
}

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

class Lane {
  readonly waiting = new Map<string, LaneTask>();
  readonly groups = new Set<string>();
  running = 0;
  /** Undefined: nothing is known since it was last idle. */
  failing: boolean | undefined;
  /** Whether the last attempt that ended, or one under way, is slow. */
  isSlow: boolean;

  constructor(isSlow: boolean) {
    this.isSlow = isSlow;
  }
}

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
 * whatever others do, it is sent one event after the other.
 */
export class AttemptLanes {
  readonly #options: AttemptLanesOptions;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane>();
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
    this.#laneOf(task).waiting.set(task.key, task);
    if (task.isFailing === true) this.setFailing(task.lane, true);
    this.#pump();
  }

  /** Takes a task away that has not begun; whether there was one. */
  remove(lane: string, key: string): boolean {
    const found = this.#lanes.get(lane);
    if (!found?.waiting.delete(key)) return false;
    this.#keys.delete(key);
    this.#dropIfIdle(lane, found);
    return true;
  }

  /** Whether what the lane sends fails at present, as its last attempt has shown. */
  setFailing(lane: string, failing: boolean): void {
    const found = this.#lanes.get(lane);
    if (!found || found.failing === failing) return;
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
      lane.waiting.clear();
    }
    await Promise.all(this.#running);
  }

  #laneOf({ lane: name, isSlow = false }: LaneTask): Lane {
    const lane = this.#lanes.get(name) ?? new Lane(isSlow);
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

  #nextOf(lane: Lane): Next | undefined {
    if (lane.running >= this.#options.mostPerLane) return undefined;
    for (const task of lane.waiting.values()) {
      if (task.group !== undefined && lane.groups.has(task.group)) continue;
      // All of a lane are alike in what is asked here: they are of one account.
      if (this.#hasRoom(lane, task)) return { task, isReserve: false };
      return this.#hasReserve(lane, task) ? { task, isReserve: true } : undefined;
    }
    return undefined;
  }

  #hasRoom(lane: Lane, { account }: LaneTask): boolean {
    const { running, failing } = lane;
    if (running >= this.#mostOf(lane, account) || !this.#shares.hasRoomFor(account)) return false;
    return failing !== true || this.#ofFailing < this.#shares.half;
  }

  #hasReserve({ running, failing, isSlow }: Lane, { account, isCallback = false }: LaneTask): boolean {
    if (running > 0 || failing === true || isSlow || isCallback) return false;
    return this.#shares.hasReserveFor(account);
  }

  #mostOf({ failing, isSlow }: Lane, account: string): number {
    const { mostPerLane } = this.#options;
    if (isSlow && !this.#shares.hasPlentyFor(account)) return MOST_OF_SLOW_LANE;
    return failing === false ? mostPerLane : Math.min(MOST_OF_UNPROVEN_LANE, mostPerLane);
  }

  #start(name: string, lane: Lane, { task, isReserve }: Next): void {
    lane.waiting.delete(task.key);
    this.#count(lane, 1);
    let isSlow = false;
    const giveBack = this.#shares.take({
      account: task.account,
      isReserve,
      onSlow: () => {
        isSlow = true;
        lane.isSlow = true;
        this.#pump();
      },
    });
    if (task.group !== undefined) lane.groups.add(task.group);
    const running = task.run().finally(() => {
      this.#running.delete(running);
      this.#keys.delete(task.key);
      giveBack();
      lane.isSlow = isSlow;
      this.#count(lane, -1);
      if (task.group !== undefined) lane.groups.delete(task.group);
      this.#dropIfIdle(name, lane);
      this.#pump();
    });
    this.#running.add(running);
  }

  #count(lane: Lane, change: 1 | -1): void {
    lane.running += change;
    if (lane.failing === true) this.#ofFailing += change;
  }

  #dropIfIdle(name: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.size === 0) this.#lanes.delete(name);
  }
}
