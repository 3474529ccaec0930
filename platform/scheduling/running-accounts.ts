/** Counts each account's running work. */
export class RunningAccounts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  /** Count across all accounts. */
  get total(): number {
    return this.#total;
  }

  /** A copy. */
  get accounts(): ReadonlySet<string> {
    return new Set(this.#counts.keys());
  }

  has(account: string): boolean {
    return this.#counts.has(account);
  }

  /** Count for one account. */
  countOf(account: string): number {
    return this.#counts.get(account) ?? 0;
  }

  /**
   * Whether the account may start work, up to a total of `most`. An account with nothing running may exceed it by one.
   */
  fits(account: string, most: number): boolean {
    return this.#total < (this.has(account) ? most : most + 1);
  }

  add(account: string): void {
    this.#total += 1;
    this.#counts.set(account, this.countOf(account) + 1);
  }

  /** Reverts one `add`. */
  remove(account: string): void {
    const count = this.countOf(account);
    this.#total -= 1;
    if (count > 1) this.#counts.set(account, count - 1);
    else this.#counts.delete(account);
  }
}
