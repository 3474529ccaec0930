import type { Callback, LaneTask } from './lane.ts';

export interface CallbackLaneOptions {
  /** Attempts under way at once of all accounts together. Of these the callbacks of one may have an eighth. */
  readonly most: number;
  /** To one origin. */
  readonly mostPerLane: number;
}

/** To a path from which no quick success has come yet: enough to see that it works. */
const MOST_OF_UNPROVEN_PATH = 2;

class Path {
  readonly waiting = new Map<string, LaneTask>();
  running = 0;
  /** Whether the last attempt succeeded, and quickly. */
  works = false;
}

class Origin {
  /** In the order of their turns. */
  readonly paths = new Map<string, Path>();
  running = 0;
}

/** Callbacks that take turns by origin, and within each by path. */
class Turns {
  readonly #most: number;
  readonly #mostOfOrigin: number;
  /** In the order of their turns. */
  readonly #origins = new Map<string, Origin>();
  #running = 0;

  constructor(most: number, mostPerLane: number) {
    this.#most = most;
    this.#mostOfOrigin = Math.min(mostPerLane, Math.ceil(most / 2));
  }

  add(task: LaneTask, { origin: originName, path: pathName }: Callback): void {
    const origin = this.#origins.get(originName) ?? new Origin();
    this.#origins.set(originName, origin);
    const path = origin.paths.get(pathName) ?? new Path();
    origin.paths.set(pathName, path);
    path.waiting.set(task.key, task);
  }

  remove(key: string, callback: Callback): void {
    this.#find(callback)?.path.waiting.delete(key);
    this.#dropIfIdle(callback);
  }

  /** The first whose origin and path have room, in the order of turns. No more are looked at than run, and one. */
  next(): LaneTask | undefined {
    if (this.#running >= this.#most) return undefined;
    for (const origin of this.#origins.values()) {
      if (origin.running >= this.#mostOfOrigin) continue;
      for (const path of origin.paths.values()) {
        const [task] = path.waiting.values();
        if (task && path.running < this.#mostOf(path)) return task;
      }
    }
    return undefined;
  }

  begin(key: string, callback: Callback): void {
    const found = this.#find(callback);
    if (!found) return;
    const { origin, path } = found;
    path.waiting.delete(key);
    this.#count(found, 1);
    // Behind all the others for the next turn.
    this.#origins.delete(callback.origin);
    this.#origins.set(callback.origin, origin);
    origin.paths.delete(callback.path);
    origin.paths.set(callback.path, path);
  }

  end(callback: Callback): void {
    const found = this.#find(callback);
    if (found) this.#count(found, -1);
    this.#dropIfIdle(callback);
  }

  note(callback: Callback, works: boolean): void {
    const found = this.#find(callback);
    if (found) found.path.works = works;
  }

  #find({ origin: originName, path: pathName }: Callback): { origin: Origin; path: Path } | undefined {
    const origin = this.#origins.get(originName);
    const path = origin?.paths.get(pathName);
    return origin && path && { origin, path };
  }

  #mostOf({ works }: Path): number {
    return works ? this.#mostOfOrigin : Math.min(MOST_OF_UNPROVEN_PATH, this.#mostOfOrigin);
  }

  #count({ origin, path }: { origin: Origin; path: Path }, change: 1 | -1): void {
    this.#running += change;
    origin.running += change;
    path.running += change;
  }

  #dropIfIdle(callback: Callback): void {
    const found = this.#find(callback);
    if (!found) return;
    const { origin, path } = found;
    if (path.running === 0 && path.waiting.size === 0) origin.paths.delete(callback.path);
    if (origin.paths.size === 0) this.#origins.delete(callback.origin);
  }
}

/**
 * The callbacks of one account. Those that are sent for the first time have an eighth of all connections, those that
 * failed before half as many besides, so that what hangs again holds up nothing that is new; one origin has half of
 * either at most. A path has two connections until its first quick success, and all of its origin from then on.
 */
export class CallbackLane {
  running = 0;
  readonly #first: Turns;
  readonly #repeated: Turns;
  readonly #waiting = new Map<string, LaneTask>();
  #wasRepeat = false;

  constructor({ most, mostPerLane }: CallbackLaneOptions) {
    this.#first = new Turns(Math.max(2, Math.ceil(most / 8)), mostPerLane);
    this.#repeated = new Turns(Math.max(2, Math.ceil(most / 16)), mostPerLane);
  }

  get isIdle(): boolean {
    return this.running === 0 && this.#waiting.size === 0;
  }

  /** By key. */
  get waiting(): ReadonlyMap<string, LaneTask> {
    return this.#waiting;
  }

  add(task: LaneTask): void {
    this.#waiting.set(task.key, task);
    this.#in(task, (turns, callback) => turns.add(task, callback));
  }

  /** Takes a task away that waits; whether there was one. */
  remove(key: string): boolean {
    const task = this.#waiting.get(key);
    if (!task) return false;
    this.#waiting.delete(key);
    this.#in(task, (turns, callback) => turns.remove(key, callback));
    return true;
  }

  /** Takes everything away that waits. */
  clear(): void {
    for (const key of this.#waiting.keys()) this.remove(key);
  }

  /** The next that may begin. */
  first(): LaneTask | undefined {
    const both = [this.#first, this.#repeated];
    for (const turns of this.#wasRepeat ? both : both.toReversed()) {
      const task = turns.next();
      if (task) return task;
    }
    return undefined;
  }

  begin(task: LaneTask): void {
    this.#waiting.delete(task.key);
    this.running += 1;
    this.#wasRepeat = task.callback?.isRepeat === true;
    this.#in(task, (turns, callback) => turns.begin(task.key, callback));
  }

  end(task: LaneTask, isSlow: boolean): void {
    this.running -= 1;
    if (isSlow) this.noteSlow(task);
    this.#in(task, (turns, callback) => turns.end(callback));
  }

  noteSlow({ callback }: LaneTask): void {
    if (callback) this.note(callback, false);
  }

  /** Whether the last attempt there succeeded. */
  note(callback: Callback, works: boolean): void {
    this.#turnsOf(callback).note(callback, works);
  }

  #in({ callback }: LaneTask, act: (turns: Turns, callback: Callback) => void): void {
    if (callback) act(this.#turnsOf(callback), callback);
  }

  #turnsOf({ isRepeat }: Callback): Turns {
    return isRepeat ? this.#repeated : this.#first;
  }
}
