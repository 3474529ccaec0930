import { segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { everyEntry, type Page, type PageQuery } from './pages.ts';
import type { Schemas } from './schemas.ts';

const PATH = '/v1/api-keys';

/** A permission of a key (interface, "Authentication" 5). */
export type Scope = ApiKey['scopes'][number];

/** Body of a create. */
export type NewApiKey = Schemas['NewApiKey'];

/** A new key with its secret, which is returned only once. */
export type CreatedApiKey = Readonly<Schemas['CreatedApiKey']>;

/** A key without its secret. */
export type ApiKey = Readonly<Schemas['ApiKey']>;

/** The API keys of the account. */
export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a key. Never retried: if the response is lost, the key is useless; revoke it. */
  async create(key: NewApiKey, options?: CallOptions): Promise<CreatedApiKey> {
    return this.#transport.json({ method: 'POST', path: PATH, body: key, options });
  }

  /** Returns one key without its secret. Rejects with TrifoldError `api_key_not_found`. */
  async get(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.#transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Returns one page. */
  async page(query: PageQuery = {}, options?: CallOptions): Promise<Page<ApiKey>> {
    return this.#transport.json({ method: 'GET', path: PATH, query: { ...query }, options });
  }

  /** Iterates over all keys and loads pages on demand. */
  list(query: PageQuery = {}, options?: CallOptions): AsyncGenerator<ApiKey, void, undefined> {
    return everyEntry((cursor) => this.page({ ...query, cursor }, options), query.cursor);
  }

  /** Revokes a key, within a second at every gateway. Resources that it created stay. */
  async revoke(id: string, options?: CallOptions): Promise<Readonly<Schemas['Deleted']>> {
    return this.#transport.json({ method: 'DELETE', path: pathOf(id), options });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${segment(id)}`;
}
