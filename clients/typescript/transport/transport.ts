import { ConnectionError, TimeoutError } from '../errors/errors.ts';
import { errorFromResponse, unreadableResponse } from '../errors/error-from-response.ts';
import { TrifoldError } from '../errors/trifold-error.ts';
import { checkedIdempotencyKey, type Call } from './call.ts';
import { Deadline } from './deadline.ts';
import { withRetries } from './retries.ts';
import { parseJson } from './long-integers.ts';

export interface TransportOptions {
  readonly baseUrl: string;
  /** Headers that authenticate the caller. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly retries: number;
}

/**
 * Sends calls with the API key, a timeout, and retries where they are safe. Throws TrifoldError, or the signal's
 * reason.
 */
export class Transport {
  // Stored in a #private field, so that loggers and debuggers that print the client do not show the key.
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Returns the response's JSON; the caller provides its type according to the interface. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a cast, kept in one place
  async json<T>(call: Call): Promise<T> {
    return this.send(call, async (response) => readJson<T>(response, call));
  }

  /**
   * Sends the call and returns the result of `read` for a 2xx response. The timeout applies until `read` ends; only the
   * signal applies to a body that is read later.
   */
  async send<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { timeoutMs, signal } = call.options ?? {};
    const retries = isRepeatable(call) ? this.#options.retries : 0;
    const request = this.#request(call, retries > 0);
    const deadline = new Deadline(timeoutMs ?? this.#options.timeoutMs, signal);
    const attempt = () => this.#attempt({ request, call, deadline, read });
    try {
      return await withRetries(attempt, { retries, leftMs: () => deadline.leftMs, signal });
    } finally {
      deadline.stop();
    }
  }

  async #attempt<T>({ request, call, deadline, read }: Attempt<T>): Promise<T> {
    try {
      // Browsers throw if fetch is called as a method of another object.
      const { fetch } = this.#options;
      const response = await fetch(request.url, { ...request.init, signal: deadline.signal });
      if (!response.ok) throw await errorFromResponse(response, nameOf(call));
      return await read(response);
    } catch (error) {
      if (error instanceof TrifoldError) throw error;
      deadline.throwIfAborted();
      throw deadline.isOver ? tooLate(call) : connectionError(nameOf(call), error);
    }
  }

  #request(call: Call, repeats: boolean): PreparedRequest {
    const { baseUrl, credentials } = this.#options;
    const idempotencyKey =
      call.options?.idempotencyKey ?? (repeats && call.idempotent ? crypto.randomUUID() : undefined);
    const headers: Record<string, string> = {
      ...credentials,
      accept: call.accept ?? 'application/json',
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': checkedIdempotencyKey(idempotencyKey) }),
      ...call.headers,
    };
    // Do not follow redirects: the service sends none, and a POST would become a GET.
    const init = { method: call.method, headers, redirect: 'manual' } as const;
    return {
      url: `${baseUrl}${call.path}${queryOf(call)}`,
      init: call.body === undefined ? init : { ...init, body: JSON.stringify(call.body) },
    };
  }
}

interface PreparedRequest {
  readonly url: string;
  readonly init: RequestInit;
}

interface Attempt<T> {
  readonly request: PreparedRequest;
  readonly call: Call;
  readonly deadline: Deadline;
  readonly read: (response: Response) => Promise<T>;
}

/** Returns the error for a failed or broken connection. */
export function connectionError(what: string, cause: unknown): ConnectionError {
  const reason = reasonOf(cause);
  return new ConnectionError(`${what}: connection failed or response truncated (${reason}).`, {
    code: 'connection_failed',
    cause,
  });
}

/** Whether a retry is safe: GET changes nothing, and a POST with an Idempotency-Key takes effect only once. */
function isRepeatable({ method, idempotent }: Call): boolean {
  return method === 'GET' || idempotent === true;
}

/** Returns the body as JSON. Throws TrifoldError `unexpected_answer` for invalid JSON. */
export async function readJson<T>(response: Response, call: Call): Promise<T> {
  const text = await response.text();
  try {
    return parseJson(text) as T;
  } catch {
    throw unreadableResponse(response, nameOf(call));
  }
}

function queryOf({ query = {} }: Call): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    if (typeof value !== 'object') return [[name, String(value)]];
    return Object.entries(value).map(([member, each]) => [`${name}[${member}]`, each]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** Name of a call in errors: method and path. */
export function nameOf({ method, path }: Call): string {
  return `${method} ${path}`;
}

function tooLate(call: Call): TimeoutError {
  return new TimeoutError(`${nameOf(call)} timed out.`, { code: 'timeout' });
}

/** fetch only says "fetch failed"; the reason is in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? 'unknown reason';
}
