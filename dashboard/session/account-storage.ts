const PREFIX = 'trifold:';

/** Rises at each sign-out: a page that closes after it keeps nothing any more. */
let signOuts = 0;

/** What this browser keeps for one account until sign-out. */
export class AccountStorage {
  readonly #prefix: string;
  readonly #signOuts = signOuts;

  constructor(account: string) {
    this.#prefix = `${PREFIX}${account}:`;
  }

  /** Returns a value; undefined when there is none that can be read. */
  read(name: string): unknown {
    const stored = localStorage.getItem(this.#prefix + name);
    try {
      return stored === null ? undefined : (JSON.parse(stored) as unknown);
    } catch {
      return undefined;
    }
  }

  /** Keeps a value. Returns false when the browser has no room for it. */
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

/** Removes what this browser keeps of every account. */
export function forgetAccounts(): void {
  signOuts += 1;
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  for (const name of names) localStorage.removeItem(name);
}
