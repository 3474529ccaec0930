import { ApiKeys } from './resources/api-keys.ts';
import { Batches } from './resources/batches.ts';
import { BillingReports } from './resources/billing.ts';
import { Documents } from './resources/documents.ts';
import { Emails } from './resources/emails.ts';
import { Templates } from './resources/templates.ts';
import { UsageReports } from './resources/usage.ts';
import { Webhooks } from './resources/webhooks.ts';
import { Transport } from './transport/transport.ts';

/** Where the service is, who asks, and how patiently. */
export interface ClientOptions {
  /** Where the service is, `https://documents.example.com`; a path before `/v1` is kept. */
  readonly baseUrl: string | URL;
  /** `tf_live_…` or `tf_test_…`, 51 characters. To be used on servers only. */
  readonly apiKey: string;
  /** What sends requests. @default the fetch of Node */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * How long a call may take until its answer is read, or its download begins: every try and pause together, in
   * milliseconds. @default 60_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call is tried again after 429, 502, 503, 504 or a broken connection, when that is safe: reads, and
   * documents and batches, which get an Idempotency-Key. 0 for never. @default 2
   */
  readonly retries?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;

/** Authentication 3 of the interface. Checked here, as fetch would quote a key that no header can carry. */
const KEY_FORM = /^tf_(live|test)_[A-Za-z0-9]{43}$/;

/**
 * A client of the service for one key. Bodies and answers have the names of the HTTP interface, unchanged.
 * Its methods throw TrifoldError, or the reason of the signal that ended them.
 */
export class TrifoldClient {
  readonly templates: Templates;
  readonly documents: Documents;
  readonly batches: Batches;
  readonly emails: Emails;
  readonly apiKeys: ApiKeys;
  readonly usage: UsageReports;
  readonly billing: BillingReports;
  readonly webhooks: Webhooks;

  /** Throws a TypeError or RangeError when an option cannot be what it should be. */
  constructor(options: ClientOptions) {
    const transport = new Transport({
      baseUrl: baseUrlOf(options.baseUrl),
      apiKey: apiKeyOf(options.apiKey),
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
    this.webhooks = new Webhooks(transport);
  }
}

function baseUrlOf(baseUrl: string | URL): string {
  const text = String(baseUrl);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https URL');
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must have no user, password, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function apiKeyOf(apiKey: string): string {
  if (KEY_FORM.test(apiKey)) return apiKey;
  throw new TypeError('apiKey must be tf_live_ or tf_test_ and 43 letters and digits; is it set, and whole?');
}

function atLeast(name: string, least: number, value: number): number {
  if (value >= least && Number.isSafeInteger(value)) return value;
  throw new RangeError(`${name} must be a whole number, at least ${least}`);
}
