/**
 * A round-robin queue: accounts take turns, one task each, and one account's tasks are first in, first out. All
 * operations take constant time, including removal, except `pushFront` and the turns that `shift` skips.
 */
export class FairQueue {
  /** Accounts with waiting entries, in turn order: a Map iterates in insertion order. */
  #accounts = new Map<string, WaitingLine>();
  /** Account by entry. */
  readonly #members = new Map<string, string>();

  get length(): number {
    return this.#members.size;
  }

  /** Number of one account's entries still waiting for their turn. */
  lengthOf(account: string): number {
    return this.#accounts.get(account)?.length ?? 0;
  }

  has(id: string): boolean {
    return this.#members.has(id);
  }

  push(id: string, account: string): void {
    const line = this.#accounts.get(account) ?? new WaitingLine();
    this.#accounts.set(account, line);
    line.push(id);
    this.#members.set(id, account);
  }

  /** Gives the next turn to an entry that has already had its turn. */
  pushFront(id: string, account: string): void {
    const line = this.#accounts.get(account) ?? new WaitingLine();
    this.#accounts.delete(account);
    this.#accounts = new Map([[account, line], ...this.#accounts]);
    line.pushFront(id);
    this.#members.set(id, account);
  }

  /** Removes and returns the entry with the next turn among the accounts that pass `isWanted`. */
  shift(isWanted: (account: string) => boolean = () => true): string | undefined {
    for (const [account, line] of this.#accounts) {
      if (!isWanted(account)) continue;
      const id = line.shift();
      this.#accounts.delete(account);
      if (line.length > 0) this.#accounts.set(account, line);
      if (id !== undefined) this.#members.delete(id);
      return id;
    }
    return undefined;
  }

  remove(id: string): boolean {
    const account = this.#members.get(id);
    if (account === undefined) return false;
    this.#members.delete(id);
    const line = this.#accounts.get(account);
    line?.remove(id);
    if (line?.length === 0) this.#accounts.delete(account);
    return true;
  }
}

/** First in, first out, without a scan of removed entries: a new Set iterator would skip them one by one. */
class WaitingLine {
  #members = new Set<string>();
  #order = this.#members.values();

  get length(): number {
    return this.#members.size;
  }

  push(id: string): void {
    this.#members.add(id);
  }

  /** Takes linear time. */
  pushFront(id: string): void {
    this.#members = new Set([id, ...this.#members]);
    this.#order = this.#members.values();
  }

  shift(): string | undefined {
    let next = this.#order.next();
    if (next.done) {
      // A finished iterator does not see later entries.
      this.#order = this.#members.values();
      next = this.#order.next();
    }
    if (next.value !== undefined) this.#members.delete(next.value);
    return next.value;
  }

  remove(id: string): void {
    this.#members.delete(id);
  }
}
