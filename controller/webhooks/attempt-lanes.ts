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
  /** Never rejects. */
  run(): Promise<void>;
}

export interface AttemptLanesOptions {
  /** Attempts under way at once, without slow ones: of these there may be half as many besides. */
  readonly most: number;
  /** Of one lane, slow ones among them. */
  readonly mostPerLane: number;
  readonly clock: Clock;
}

/** Of a lane whose attempts fail, or of which none has succeeded yet: enough to see that it works. */
const MOST_OF_UNPROVEN_LANE = 2;

class Lane {
  readonly waiting = new Map<string, LaneTask>();
  readonly groups = new Set<string>();
  running = 0;
  /** Undefined: nothing is known since it was last idle. */
  failing: boolean | undefined;
}

/**
 * Shares connections among endpoints: each lane has so many at most and lanes take turns, so that one that hangs keeps
 * nobody waiting. A lane begins with two and has its whole share from its first success on; while it fails it has two
 * again, and all that fail together have half of what there is, as any one account (see ConnectionShares).
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
    this.#shares = new ConnectionShares({ ...options, onSlow: () => this.#pump() });
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
    this.#laneOf(task.lane).waiting.set(task.key, task);
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

  #laneOf(name: string): Lane {
    const lane = this.#lanes.get(name) ?? new Lane();
    this.#lanes.set(name, lane);
    return lane;
  }

  #pump(): void {
    while (this.#startNext());
  }

  #startNext(): boolean {
    if (this.#shares.isFull) return false;
    for (const [name, lane] of this.#lanes) {
      const task = this.#nextOf(lane);
      if (!task) continue;
      // Behind all the others for the next turn.
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      this.#start(name, lane, task);
      return true;
    }
    return false;
  }

  #nextOf(lane: Lane): LaneTask | undefined {
    if (lane.waiting.size === 0 || !this.#hasRoom(lane)) return undefined;
    for (const task of lane.waiting.values()) {
      if (task.group !== undefined && lane.groups.has(task.group)) continue;
      // All of a lane are of one account.
      return this.#shares.hasRoomFor(task.account) ? task : undefined;
    }
    return undefined;
  }

  #hasRoom({ running, failing }: Lane): boolean {
    const { mostPerLane } = this.#options;
    if (failing === false) return running < mostPerLane;
    const hasRoom = running < Math.min(MOST_OF_UNPROVEN_LANE, mostPerLane);
    return hasRoom && (failing === undefined || this.#ofFailing < this.#shares.half);
  }

  #start(name: string, lane: Lane, task: LaneTask): void {
    lane.waiting.delete(task.key);
    this.#count(lane, 1);
    const giveBack = this.#shares.take(task.account);
    if (task.group !== undefined) lane.groups.add(task.group);
    const running = task.run().finally(() => {
      this.#running.delete(running);
      this.#keys.delete(task.key);
      giveBack();
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
