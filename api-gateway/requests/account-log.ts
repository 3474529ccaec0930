import { isFailed, MAX_REQUESTS, type LoggedRequest } from './logged-request.ts';

/** The account of a log. */
export interface LogOwner {
  /** Namespace of the account. */
  readonly account: string;
  /** Uid of the namespace. */
  readonly uid: string;
}

/** An account's latest requests of one day in the memory of this gateway, as the lines of its object. */
export class AccountLog implements LogOwner {
  readonly account: string;
  readonly uid: string;
  /** `requests/<day>/<account>/<uid>/`. */
  readonly prefix: string;
  /** Key of its object; new for each log, so that a log never overwrites an earlier one. */
  readonly key: string;
  /** Length of the lines. */
  #bytes = 0;
  readonly #failed: string[] = [];
  readonly #writes: string[] = [];

  constructor({ account, uid }: LogOwner, prefix: string, name: string) {
    this.account = account;
    this.uid = uid;
    this.prefix = prefix;
    this.key = prefix + name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return [...this.#failed, ...this.#writes];
  }

  /** Adds the latest request. */
  add(request: LoggedRequest): void {
    const lines = isFailed(request) ? this.#failed : this.#writes;
    const line = JSON.stringify(request);
    this.#bytes += line.length;
    lines.push(line);
    if (lines.length > MAX_REQUESTS) this.#bytes -= lines.shift()?.length ?? 0;
  }
}
