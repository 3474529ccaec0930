const PREFIX = 'trifold:';

/** Incremented at each sign-out, so that a page that closes later does not store anything. */
let signOuts = 0;

/** Data that this browser stores for one account until sign-out. */
export class AccountStorage {
  readonly #prefix: string;
  readonly #signOuts = signOuts;

  constructor(account: string) {
    this.#prefix = `${PREFIX}${account}:`;
  }

  /** Returns a value; undefined if absent or unreadable. */
  read(name: string): unknown {
    const stored = localStorage.getItem(this.#prefix + name);
    try {
      return stored === null ? undefined : (JSON.parse(stored) as unknown);
    } catch {
      return undefined;
    }
  }

  /** Stores a value. Returns false when the browser has no space for it. */
  store(name: string, value: unknown): boolean {
    if (this.#signOuts !== signOuts) return true;
    try {
      localStorage.setItem(this.#prefix + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  remove(name: string): void {
    localStorage.removeItem(this.#prefix + name);
  }
}

/** Removes everything that this browser stores for any account. */
export function forgetAccounts(): void {
  signOuts += 1;
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  for (const name of names) localStorage.removeItem(name);
}
