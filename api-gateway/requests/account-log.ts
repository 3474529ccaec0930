import { isFailed, MAX_REQUESTS, type LoggedRequest } from './logged-request.ts';

/** An account's log, of which each gateway has its own. */
export interface LogOwner {
  /** Namespace of the account. */
  readonly account: string;
  /** Uid of the namespace. */
  readonly uid: string;
}

/** The latest requests of one account in the memory of this gateway, as the lines of its object. */
export class AccountLog implements LogOwner {
  readonly account: string;
  readonly uid: string;
  /** Name of the log's object; new for each log, so that a log never overwrites an earlier one. */
  readonly name: string;
  /** Whether the object exists. */
  isStored = false;
  /** Bytes of this log that the gateway has counted. */
  counted = 0;
  /** Total length of the lines. */
  #bytes = 0;
  readonly #failed: string[] = [];
  readonly #writes: string[] = [];

  constructor({ account, uid }: LogOwner, name: string) {
    this.account = account;
    this.uid = uid;
    this.name = name;
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

  /** Replaces all requests. `latest`: newest first, at most MAX_REQUESTS of each kind. */
  replace(latest: readonly LoggedRequest[]): void {
    this.#failed.length = this.#writes.length = this.#bytes = 0;
    for (const request of latest.toReversed()) this.add(request);
  }
}
