/** An attempt that is to be made. */
export interface LaneTask {
  /** Unique among the tasks that wait or run. */
  readonly key: string;
  /** Endpoint, or callbacks of an account: those of one lane share its connections. */
  readonly lane: string;
  readonly account: string;
  /** Of one group and lane one runs at a time; not for callbacks. */
  readonly group?: string;
  /** Whether what the lane sends fails at present. */
  readonly isFailing?: boolean;
  /** Whether the last attempt of the lane was slow, where it was idle since. */
  readonly isSlow?: boolean;
  /** Where it goes, unless to an endpoint: the URL of one request. */
  readonly callback?: Callback;
  /** Never rejects. */
  run(): Promise<void>;
}

/** Where a callback goes. */
export interface Callback {
  readonly origin: string;
  readonly path: string;
  /** Whether it was tried before, and failed. */
  readonly isRepeat: boolean;
}

/** What waits for one endpoint, and what is known of it. */
export class Lane {
  readonly waiting = new Map<string, LaneTask>();
  running = 0;
  /** Undefined: nothing is known since it was last idle. */
  failing: boolean | undefined;
  /** Whether the last attempt that ended, or one under way, is slow. */
  isSlow: boolean;
  readonly #groups = new Set<string>();

  constructor(isSlow: boolean) {
    this.isSlow = isSlow;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.waiting.size === 0;
  }

  add(task: LaneTask): void {
    this.waiting.set(task.key, task);
  }

  /** Takes a task away that waits; whether there was one. */
  remove(key: string): boolean {
    return this.waiting.delete(key);
  }

  /** Takes everything away that waits. */
  clear(): void {
    this.waiting.clear();
  }

  /** The first that may begin, as far as its group goes. */
  first(): LaneTask | undefined {
    for (const task of this.waiting.values()) {
      if (task.group === undefined || !this.#groups.has(task.group)) return task;
    }
    return undefined;
  }

  begin({ key, group }: LaneTask): void {
    this.waiting.delete(key);
    this.running += 1;
    if (group !== undefined) this.#groups.add(group);
  }

  end({ group }: LaneTask, isSlow: boolean): void {
    this.running -= 1;
    this.isSlow = isSlow;
    if (group !== undefined) this.#groups.delete(group);
  }

  noteSlow(_task: LaneTask): void {
    this.isSlow = true;
  }
}
