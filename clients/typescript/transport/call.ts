/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time for this call in place of the client's, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** What calls that make documents take. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 characters of printable ASCII. However often the same body is sent under it within 24 hours, it is done
   * once. The client draws one for each call when it may try again; give your own to be safe across restarts.
   */
  readonly idempotencyKey?: string | undefined;
}

/** A request to the service. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below baseUrl, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Media type to ask for. @default application/json */
  readonly accept?: string;
  /** POST that takes an Idempotency-Key, so that it can be tried again. */
  readonly idempotent?: boolean;
  readonly options: CreateOptions | undefined;
}

/** A part of a path. Throws a TypeError for a text that cannot be one: it would lead elsewhere. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`${JSON.stringify(id)} is not an id`);
  return encodeURIComponent(id);
}
