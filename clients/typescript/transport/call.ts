/** Options for every call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout for this call in milliseconds, instead of the client's. */
  readonly timeoutMs?: number | undefined;
}

/** Options for calls that create documents. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 characters of printable ASCII. Requests with the same key and body take effect only once within 24 hours.
   * If retries are enabled, the client generates a key for each call; pass your own to be safe across restarts.
   */
  readonly idempotencyKey?: string | undefined;
}

/** A request to the service. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below baseUrl, encoded. */
  readonly path: string;
  /** A map becomes one parameter per entry: `metadata[order]=A-17`. */
  readonly query?: Readonly<
    Record<string, string | number | boolean | Readonly<Record<string, string>> | undefined>
  >;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Media type for the Accept header. @default application/json */
  readonly accept?: string;
  /** Additional request headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a POST accepts an Idempotency-Key and so can be retried. */
  readonly idempotent?: boolean;
  readonly options: CreateOptions | undefined;
}

/** Returns the ID as an encoded path segment. Throws TypeError for an ID that would change the path. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`${JSON.stringify(id)} is not an ID`);
  return encodeURIComponent(id);
}

// The service has the same rules. fetch would trim such a value, or fail as if the connection were broken.
const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;
const SESSION = /^[!-~]{1,255}$/;

/** Returns a valid idempotency key unchanged. Throws TypeError for any other. */
export function checkedIdempotencyKey(key: string): string {
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new TypeError(
    'idempotencyKey must have 1 to 255 printable ASCII characters, without leading or trailing spaces',
  );
}

/** Returns a valid session of previews unchanged. Throws TypeError for any other. */
export function checkedSession(session: string): string {
  if (SESSION.test(session)) return session;
  throw new TypeError('session must have 1 to 255 printable ASCII characters, without spaces');
}
