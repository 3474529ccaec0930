import { ApiKeys } from './resources/api-keys.ts';
import { Batches } from './resources/batches.ts';
import { Documents } from './resources/documents.ts';
import { Emails } from './resources/emails.ts';
import { Requests } from './resources/requests.ts';
import { Templates } from './resources/templates.ts';
import { BillingReports, UsageReports } from './resources/usage.ts';
import { Webhooks } from './resources/webhooks.ts';
import { Transport } from './transport/transport.ts';

/** Options for `TrifoldClient`. */
export interface ClientOptions {
  /** URL of the service, for example `https://documents.example.com`; a path before `/v1` is kept. */
  readonly baseUrl: string | URL;
  /** `tf_live_…` or `tf_test_…`, 51 characters. Use it only on servers. Required without `session`. */
  readonly apiKey?: string | undefined;
  /**
   * Uses the session of the user who is signed in to the dashboard instead of a key. Works only in pages served by the
   * service itself. @default false
   */
  readonly session?: boolean | undefined;
  /** Function that sends requests. @default the global fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Maximum time until a call's response is read or its download starts, including all attempts and pauses, in
   * milliseconds. @default 60_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum retries after 429, 502, 503, 504 or a broken connection. Only safe calls are retried: reads, and creations
   * of documents and batches, which get an Idempotency-Key. 0 disables retries. @default 2
   */
  readonly retries?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;

/** With the version in package.json. */
const USER_AGENT = 'trifold-typescript/0.1.0';

/** Interface, "Authentication" 3. Checked here because fetch would include an invalid key in its error message. */
const KEY_FORM = /^tf_(live|test)_[A-Za-z0-9]{43}$/;

/**
 * Client for the service with one API key. Requests and responses use the names of the HTTP interface, unchanged.
 * Methods throw TrifoldError, or the reason from the signal that aborted them.
 */
export class TrifoldClient {
  readonly templates: Templates;
  readonly documents: Documents;
  readonly batches: Batches;
  readonly emails: Emails;
  readonly apiKeys: ApiKeys;
  readonly usage: UsageReports;
  readonly billing: BillingReports;
  readonly requests: Requests;
  readonly webhooks: Webhooks;

  /** Throws TypeError or RangeError for an invalid option. */
  constructor(options: ClientOptions) {
    const transport = new Transport({
      baseUrl: baseUrlOf(options.baseUrl),
      credentials: credentialsOf(options),
      fetch: options.fetch ?? globalThis.fetch,
      timeoutMs: atLeast('timeoutMs', 1, options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      retries: atLeast('retries', 0, options.retries ?? DEFAULT_RETRIES),
    });
    this.templates = new Templates(transport);
    this.documents = new Documents(transport);
    this.batches = new Batches(transport);
    this.emails = new Emails(transport);
    this.apiKeys = new ApiKeys(transport);
    this.usage = new UsageReports(transport);
    this.billing = new BillingReports(transport);
    this.requests = new Requests(transport);
    this.webhooks = new Webhooks(transport);
  }
}

function baseUrlOf(baseUrl: string | URL): string {
  const text = String(baseUrl);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https URL');
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must not contain a user name, password, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

/** Returns the headers that identify the caller. The browser adds a session's cookie and its own User-Agent. */
function credentialsOf({ apiKey, session = false }: ClientOptions): Readonly<Record<string, string>> {
  if (session) return { 'x-trifold-session': '1' };
  if (apiKey !== undefined && KEY_FORM.test(apiKey)) {
    return { authorization: `Bearer ${apiKey}`, 'user-agent': USER_AGENT };
  }
  throw new TypeError(
    'apiKey must be tf_live_ or tf_test_ followed by 43 letters and digits: check that it is set and complete',
  );
}

function atLeast(name: string, least: number, value: number): number {
  if (value >= least && Number.isSafeInteger(value)) return value;
  throw new RangeError(`${name} must be an integer of at least ${least}`);
}
