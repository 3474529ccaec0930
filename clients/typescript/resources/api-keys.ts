import type { CallOptions } from '../transport/call.ts';
import { ListedResource, type PageQuery, type Schemas } from './resource.ts';

/** A permission of a key (interface, "Authentication" 5). */
export type Scope = ApiKey['scopes'][number];

/** Request body for creating a key. */
export type NewApiKey = Schemas['ApiKeyRequest'];

/** A new key with its secret, which is returned only once. */
export type CreatedApiKey = Readonly<Schemas['CreatedApiKey']>;

/** A key without its secret. */
export type ApiKey = Readonly<Schemas['ApiKey']>;

/** The account's API keys. */
export class ApiKeys extends ListedResource<ApiKey, PageQuery> {
  protected readonly path = '/v1/api-keys';

  /** Creates a key. Never retried: if the response is lost, the key is useless; revoke it. */
  async create(key: NewApiKey, options?: CallOptions): Promise<CreatedApiKey> {
    return this.transport.json({ method: 'POST', path: this.path, body: key, options });
  }

  /** Returns one key without its secret. Rejects with TrifoldError `api_key_not_found`. */
  async get(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.transport.json({ method: 'GET', path: this.pathOf(id), options });
  }

  /** Revokes a key; every gateway rejects it within a second. Resources it created are kept. */
  async revoke(id: string, options?: CallOptions): Promise<Readonly<Schemas['Deleted']>> {
    return this.transport.json({ method: 'DELETE', path: this.pathOf(id), options });
  }
}
