import {
  apiVersionOf,
  type Draft,
  type KindDefinition,
  type KindName,
  type KubernetesObject,
} from '@trifold/crds';
import { KubernetesApiError } from './api-error.ts';
import { open, readJson, readList, readText } from './requests.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from './transport.ts';

/** Selects the objects of a list or watch. */
export interface Selection {
  /** All namespaces when omitted. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  /** Page size; the server may return fewer. */
  readonly limit?: number;
  /** Token from the previous page. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
}

/** Reduces a list's objects one by one as they arrive, so that a page does not hold all full objects. */
export interface Reduction<R> {
  readonly reduce?: (object: R) => R;
}

/** Number of objects per page of a list. */
export const DEFAULT_PAGE_SIZE = 500;

export interface ListResult<R> {
  readonly items: readonly R[];
  readonly resourceVersion: string;
  readonly continue: string | undefined;
  /** Number of objects after this page, if the server reports it. */
  readonly remainingItemCount: number | undefined;
}

export interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
}

/** The fields that identify the target of a write. */
interface Identified {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

type Headers = NonNullable<ApiRequest['headers']>;

/** Accept header for one object's metadata; for lists, `List` is appended. */
export const METADATA_FORM = 'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata';

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json' };
/** The server sends back only the metadata, which is faster than sending the whole object. */
const METADATA_BODY = { ...JSON_BODY, accept: METADATA_FORM };
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json', accept: 'application/json' };

/**
 * A client for one kind. Every method rejects with KubernetesApiError when the server returns an error or cannot be
 * reached; nothing is retried here. Patches are JSON merge patches (RFC 7386): arrays are replaced as a whole.
 */
export class ResourceClient<R extends KubernetesObject> {
  readonly kind: KindName;
  readonly #transport: ApiTransport;
  readonly #metadataOnly: boolean;

  constructor(transport: ApiTransport, kind: KindName, { metadataOnly = false } = {}) {
    this.#transport = transport;
    this.kind = kind;
    this.#metadataOnly = metadataOnly;
  }

  /**
   * Returns a client whose reads return objects without spec and status, which costs less. Selectors still apply to the
   * whole object.
   */
  metadataOnly(): ResourceClient<KubernetesObject> {
    return new ResourceClient(this.#transport, this.kind, { metadataOnly: true });
  }

  async get(namespace: string | undefined, name: string, signal?: AbortSignal): Promise<R> {
    const path = this.path(namespace, name);
    const headers = this.#readHeaders();
    const found = await readJson<R>(this.#transport, { method: 'GET', path, headers, ...withSignal(signal) });
    return { ...found, ...this.#identity };
  }

  /** Returns an object as JSON, with all digits of its integers intact. */
  async getText(namespace: string | undefined, name: string, signal?: AbortSignal): Promise<string> {
    const path = this.path(namespace, name);
    const headers = this.#readHeaders();
    return readText(this.#transport, { method: 'GET', path, headers, ...withSignal(signal) });
  }

  /** Returns the object, or undefined when it does not exist. */
  async find(namespace: string | undefined, name: string, signal?: AbortSignal): Promise<R | undefined> {
    try {
      return await this.get(namespace, name, signal);
    } catch (error) {
      if (error instanceof KubernetesApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  /** Returns one page. Rejects with reason `Expired` (410) when the list expired between pages. */
  async list(options: ListOptions & Reduction<R> = {}): Promise<ListResult<R>> {
    const { namespace, signal, limit, reduce = (object: R) => object, ...rest } = options;
    const items: R[] = [];
    const request: ApiRequest = {
      method: 'GET',
      path: this.path(namespace),
      query: definedOnly({ ...rest, limit: limit?.toString() }),
      headers: this.#readHeaders('List'),
      ...withSignal(signal),
    };
    const { metadata } = await readList(this.#transport, request, (item) =>
      items.push(reduce({ ...this.#identity, ...(item as R) })),
    );
    return {
      items,
      resourceVersion: metadata.resourceVersion,
      continue: metadata.continue || undefined,
      remainingItemCount: metadata.remainingItemCount,
    };
  }

  /**
   * Yields the objects of all pages, as of the first page, reading each page when it is needed. Rejects with the same
   * errors as `list`. `limit` is the page size, by default DEFAULT_PAGE_SIZE.
   */
  async *listAll(options: Omit<ListOptions, 'continue'> = {}): AsyncGenerator<R, void> {
    let token: string | undefined;
    do {
      const page = await this.list({
        limit: DEFAULT_PAGE_SIZE,
        ...options,
        ...(token !== undefined && { continue: token }),
      });
      yield* page.items;
      token = page.continue;
    } while (token !== undefined);
  }

  async create(draft: Draft<R>, signal?: AbortSignal): Promise<R> {
    return this.#post<R>(this.#identified(draft), JSON_BODY, signal);
  }

  /**
   * Creates the object and returns it as sent, with the server's metadata. Costs less than `create`, but the result
   * lacks the schema's defaults.
   */
  async createAsSent(draft: Draft<R>, signal?: AbortSignal): Promise<Omit<R, 'status'>> {
    const sent = this.#identified(draft);
    const { metadata } = await this.#post<KubernetesObject>(sent, METADATA_BODY, signal);
    return { ...sent, metadata } as unknown as Omit<R, 'status'>;
  }

  /** Replaces the object. Rejects with reason `Conflict` (409) unless its resourceVersion is current. */
  async replace(object: R, signal?: AbortSignal): Promise<R> {
    const { namespace, name } = object.metadata;
    const path = this.path(namespace, name);
    return this.#write<R>({ method: 'PUT', path, headers: JSON_BODY }, object, signal);
  }

  /**
   * Replaces only the status. Rejects with reason `Conflict` (409) unless its resourceVersion is current. Sends only
   * the identity and the status, because the server ignores everything else. Returns the object with the server's
   * metadata.
   */
  async replaceStatus(object: R & { readonly status?: object }, signal?: AbortSignal): Promise<R> {
    const { apiVersion, kind, status } = object;
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const written = { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status };
    const request = {
      method: 'PUT',
      path: `${this.path(namespace, name)}/status`,
      headers: METADATA_BODY,
    } as const;
    const { metadata } = await this.#write<KubernetesObject>(request, written, signal);
    return { ...object, metadata };
  }

  async patch(object: { namespace?: string; name: string }, patch: object, signal?: AbortSignal): Promise<R> {
    const path = this.path(object.namespace, object.name);
    return this.#write({ method: 'PATCH', path, headers: MERGE_PATCH }, patch, signal);
  }

  async patchStatus(
    object: { namespace?: string; name: string },
    patch: object,
    signal?: AbortSignal,
  ): Promise<R> {
    const path = `${this.path(object.namespace, object.name)}/status`;
    return this.#write({ method: 'PATCH', path, headers: MERGE_PATCH }, patch, signal);
  }

  /** Deletes the object. Rejects with reason `Conflict` (409) when a precondition does not hold. */
  async delete(namespace: string | undefined, name: string, options: DeleteOptions = {}): Promise<void> {
    const preconditions = definedOnly({ uid: options.uid, resourceVersion: options.resourceVersion });
    const path = this.path(namespace, name);
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      ...(Object.keys(preconditions).length > 0 && { preconditions }),
    };
    await this.#write({ method: 'DELETE', path, headers: METADATA_BODY }, body, options.signal);
  }

  /** Deletes exactly this object. Returns false if it is already gone, even if another object has its name. */
  async deleteExactly({ metadata }: KubernetesObject, signal?: AbortSignal): Promise<boolean> {
    const { namespace, name, uid } = metadata;
    try {
      await this.delete(namespace, name, { uid, ...withSignal(signal) });
      return true;
    } catch (error) {
      if (error instanceof KubernetesApiError && (error.code === 404 || error.code === 409)) return false;
      throw error;
    }
  }

  /** Opens a watch and returns the raw stream, which the reflector reads. */
  async watch(
    selection: Selection,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ApiResponse> {
    const { namespace, ...selectors } = selection;
    return open(this.#transport, {
      method: 'GET',
      path: this.path(namespace),
      query: definedOnly({ ...selectors, ...query, watch: 'true' }),
      headers: this.#readHeaders(),
      signal,
    });
  }

  /** Returns the path of the collection or one object. */
  path(namespace?: string, name?: string): string {
    const { group, version, plural } = this.kind;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    return `${root}${scope}/${plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
  }

  get #identity() {
    return { apiVersion: apiVersionOf(this.kind), kind: this.kind.kind };
  }

  #identified(draft: Draft<R>) {
    return { ...this.#identity, ...draft };
  }

  #readHeaders(form: '' | 'List' = ''): Headers {
    return { accept: this.#metadataOnly ? `${METADATA_FORM}${form}` : 'application/json' };
  }

  async #post<T>(object: Identified, headers: Headers, signal: AbortSignal | undefined): Promise<T> {
    const path = this.path(object.metadata.namespace);
    return this.#write<T>({ method: 'POST', path, headers }, object, signal);
  }

  async #write<T>(
    request: Pick<ApiRequest, 'method' | 'path' | 'headers'>,
    body: object,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return readJson<T>(this.#transport, { ...request, body: JSON.stringify(body), ...withSignal(signal) });
  }
}

/** Creates clients for every kind over one transport. */
export class KubernetesClient {
  readonly transport: ApiTransport;

  constructor(transport: ApiTransport) {
    this.transport = transport;
  }

  /** Returns the client for one of our kinds. */
  resource<R extends KubernetesObject>(kind: KindDefinition<R>): ResourceClient<R> {
    return new ResourceClient<R>(this.transport, kind);
  }

  /** Returns the client for a built-in kind, such as Namespace or Secret. */
  builtin<R extends KubernetesObject>(kind: KindName): ResourceClient<R> {
    return new ResourceClient<R>(this.transport, kind);
  }
}

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]));
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
