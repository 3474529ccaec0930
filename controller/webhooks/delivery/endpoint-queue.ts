/** One attempt that waits for its turn. */
export interface QueuedAttempt {
  /** Unique among the attempts that wait or run. */
  readonly key: string;
  /** Names the queue. No two accounts share one. */
  readonly queue: string;
  readonly account: string;
  /** At most one attempt of a group and queue runs at a time. @default no group */
  readonly group?: string;
  /** Whether the last attempt to the endpoint failed. @default unknown */
  readonly isFailing?: boolean;
  /** Never rejects. */
  run(): Promise<void>;
}

/** The attempts to one endpoint, in order. */
export class EndpointQueue {
  readonly name: string;
  readonly account: string;
  running = 0;
  /** Whether the last attempt succeeded. False until the first one ends. */
  works = false;
  readonly #waiting = new Map<string, QueuedAttempt>();
  readonly #runningGroups = new Set<string>();

  constructor(name: string, account: string) {
    this.name = name;
    this.account = account;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.#waiting.size === 0;
  }

  add(attempt: QueuedAttempt): void {
    this.#waiting.set(attempt.key, attempt);
  }

  /** Removes an attempt that has not begun; returns whether there was one. */
  remove(key: string): boolean {
    return this.#waiting.delete(key);
  }

  /** Removes all attempts that have not begun. */
  clear(): void {
    this.#waiting.clear();
  }

  /** The first attempt whose group is not running. */
  first(): QueuedAttempt | undefined {
    for (const attempt of this.#waiting.values()) {
      if (attempt.group === undefined || !this.#runningGroups.has(attempt.group)) return attempt;
    }
    return undefined;
  }

  begin({ key, group }: QueuedAttempt): void {
    this.#waiting.delete(key);
    this.running += 1;
    if (group !== undefined) this.#runningGroups.add(group);
  }

  end({ group }: QueuedAttempt): void {
    this.running -= 1;
    if (group !== undefined) this.#runningGroups.delete(group);
  }
}
