import { WaitingLine } from './waiting-line.ts';

/**
 * A round-robin queue: accounts have turns, one task each, and the tasks of one account go first in, first out. Tasks
 * that were put back come first. All operations take constant time, removal included.
 */
export class FairLine {
  /** Accounts with waiting members, in the order of their turns: a Map iterates in insertion order. */
  readonly #accounts = new Map<string, WaitingLine>();
  readonly #returned = new WaitingLine();
  /** Account by member. */
  readonly #members = new Map<string, string>();

  get length(): number {
    return this.#members.size;
  }

  /** Number of members of one account that still wait for their turn. */
  lengthOf(account: string): number {
    return this.#accounts.get(account)?.length ?? 0;
  }

  has(id: string): boolean {
    return this.#members.has(id);
  }

  push(id: string, account: string): void {
    let line = this.#accounts.get(account);
    if (!line) {
      line = new WaitingLine();
      this.#accounts.set(account, line);
    }
    line.push(id);
    this.#members.set(id, account);
  }

  /** Puts a member that already had its turn at the front. */
  pushFront(id: string, account: string): void {
    this.#returned.pushFront(id);
    this.#members.set(id, account);
  }

  shift(): string | undefined {
    const id = this.#returned.shift() ?? this.#nextTurn();
    if (id !== undefined) this.#members.delete(id);
    return id;
  }

  remove(id: string): boolean {
    const account = this.#members.get(id);
    if (account === undefined) return false;
    this.#members.delete(id);
    if (this.#returned.remove(id)) return true;
    const line = this.#accounts.get(account);
    line?.remove(id);
    if (line?.length === 0) this.#accounts.delete(account);
    return true;
  }

  #nextTurn(): string | undefined {
    const next = this.#accounts.entries().next();
    if (next.done) return undefined;
    const [account, line] = next.value;
    const id = line.shift();
    this.#accounts.delete(account);
    if (line.length > 0) this.#accounts.set(account, line);
    return id;
  }
}
