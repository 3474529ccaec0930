import {
  decodeRequests,
  isFailed,
  latestRequests,
  MAX_REQUESTS,
  type LoggedRequest,
} from './logged-request.ts';

/** The account that a log belongs to. */
export interface LogOwner {
  /** Namespace of the account. */
  readonly account: string;
  /** Uid of the namespace. */
  readonly uid: string;
}

/** An account's latest requests from one day, in this gateway's memory, as the lines of its object. */
export class AccountLog implements LogOwner {
  readonly account: string;
  readonly uid: string;
  /** `requests/<day>/<account>/<uid>/`. */
  readonly prefix: string;
  /** Total length of the lines. */
  #bytes = 0;
  #failed: string[] = [];
  #writes: string[] = [];
  #isComplete = false;

  constructor({ account, uid }: LogOwner, prefix: string) {
    this.account = account;
    this.uid = uid;
    this.prefix = prefix;
  }

  /** Whether the lines include what this gateway stored before it dropped an earlier log of the account. */
  get isComplete(): boolean {
    return this.#isComplete;
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

  /** Adds the requests in the stored object before its own. `stored`: the object's body; empty if there is none. */
  complete(stored: string): void {
    const requests = latestRequests(decodeRequests([stored, ...this.lines].join('\n')));
    this.#isComplete = true;
    [this.#bytes, this.#failed, this.#writes] = [0, [], []];
    for (const request of requests.toReversed()) this.add(request);
  }
}
