import { segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { everyEntry, type Page, type PageQuery } from './pages.ts';

const PATH = '/v1/api-keys';

/** What a key may do (interface, "Authentication" 5). */
export type Scope =
  | 'templates:read'
  | 'templates:write'
  | 'documents:generate'
  | 'api-keys:read'
  | 'api-keys:write'
  | 'usage:read'
  | 'webhooks:read'
  | 'webhooks:write';

/** Body of a create. */
export interface NewApiKey {
  name: string;
  description?: string;
  /** @default all; refused when the key that asks has not all of them itself */
  scopes?: readonly Scope[];
  /** Documents of test keys carry a watermark. A test key makes test keys only. @default that of the key that asks */
  type?: 'live' | 'test';
}

interface ApiKeyFacts {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'live' | 'test';
  readonly scopes: readonly Scope[];
  /** ISO 8601. */
  readonly created_at: string;
}

/** A key as it is answered once, when it is made. */
export interface CreatedApiKey extends ApiKeyFacts {
  /** The key itself: it cannot be had again. */
  readonly key: string;
}

/** A key as it is shown afterwards. */
export interface ApiKey extends ApiKeyFacts {
  /** The last four characters of the key. */
  readonly last_four: string;
  /** ISO 8601, to the minute; null when it was never used. */
  readonly last_used_at: string | null;
}

/** The API keys of the account. */
export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Sent once: a key whose answer is lost is of no use; revoke it. */
  async create(key: NewApiKey, options?: CallOptions): Promise<CreatedApiKey> {
    return this.#transport.json({ method: 'POST', path: PATH, body: key, options });
  }

  /** One key, without its secret. Rejects with TrifoldError `api_key_not_found`. */
  async get(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.#transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** One page. */
  async page(query: PageQuery = {}, options?: CallOptions): Promise<Page<ApiKey>> {
    return this.#transport.json({ method: 'GET', path: PATH, query: { ...query }, options });
  }

  /** Every key, page by page as they are needed. */
  list(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<ApiKey, void, undefined> {
    return everyEntry((cursor) => this.page({ ...query, cursor }, options), query.cursor);
  }

  /** Ends a key, within a second at every gateway. What it made stays. */
  async revoke(id: string, options?: CallOptions): Promise<{ readonly id: string; readonly deleted: true }> {
    return this.#transport.json({ method: 'DELETE', path: pathOf(id), options });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${segment(id)}`;
}
