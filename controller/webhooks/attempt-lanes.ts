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
  /** Attempts under way at once. */
  readonly most: number;
  /** Of one lane. */
  readonly mostPerLane: number;
}

/** Of a lane whose attempts fail: enough to see it come back. */
const MOST_OF_FAILING_LANE = 2;

class Lane {
  readonly waiting = new Map<string, LaneTask>();
  readonly groups = new Set<string>();
  running = 0;
  failing = false;
}

/**
 * Shares connections among endpoints: each lane has so many at most and lanes take turns, so that one that hangs keeps
 * nobody waiting. Lanes that fail have fewer, and all of these together, as any one account, half of what there is.
 */
export class AttemptLanes {
  readonly #options: AttemptLanesOptions;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane>();
  readonly #runningOf = new Map<string, number>();
  readonly #keys = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #ofFailing = 0;
  #closed = false;

  constructor(options: AttemptLanesOptions) {
    this.#options = options;
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
    if (task.isFailing !== undefined) this.setFailing(task.lane, task.isFailing);
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

  /** Whether what the lane sends fails at present. */
  setFailing(lane: string, failing: boolean): void {
    const found = this.#lanes.get(lane);
    if (!found || found.failing === failing) return;
    found.failing = failing;
    this.#ofFailing += failing ? found.running : -found.running;
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
    if (this.#running.size >= this.#options.most) return false;
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
      return (this.#runningOf.get(task.account) ?? 0) < this.#half ? task : undefined;
    }
    return undefined;
  }

  #hasRoom({ running, failing }: Lane): boolean {
    if (!failing) return running < this.#options.mostPerLane;
    const share = Math.min(MOST_OF_FAILING_LANE, this.#options.mostPerLane);
    return running < share && this.#ofFailing < this.#half;
  }

  get #half(): number {
    return Math.ceil(this.#options.most / 2);
  }

  #start(name: string, lane: Lane, task: LaneTask): void {
    lane.waiting.delete(task.key);
    this.#count(lane, task, 1);
    if (task.group !== undefined) lane.groups.add(task.group);
    const running = task.run().finally(() => {
      this.#running.delete(running);
      this.#keys.delete(task.key);
      this.#count(lane, task, -1);
      if (task.group !== undefined) lane.groups.delete(task.group);
      this.#dropIfIdle(name, lane);
      this.#pump();
    });
    this.#running.add(running);
  }

  #count(lane: Lane, { account }: LaneTask, change: 1 | -1): void {
    lane.running += change;
    if (lane.failing) this.#ofFailing += change;
    const ofAccount = (this.#runningOf.get(account) ?? 0) + change;
    if (ofAccount === 0) this.#runningOf.delete(account);
    else this.#runningOf.set(account, ofAccount);
  }

  #dropIfIdle(name: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.size === 0) this.#lanes.delete(name);
  }
}
