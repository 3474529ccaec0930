import {
  apiVersionOf,
  type Draft,
  type KindDefinition,
  type KindName,
  type KubernetesObject,
} from '@trifold/crds';
import { yieldForLarge } from '../../request-body/yield-for-large.ts';
import { KubernetesApiError, type ApiStatus } from './api-error.ts';
import { ListDecoder } from './list-decoder.ts';
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

/** Reduces the objects of a list one by one while it arrives, so that a page does not hold all full objects. */
export interface Reduction<R> {
  readonly reduce?: (object: R) => R;
}

/** Objects per page of a list. */
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

/** The part of an object that identifies the target of a write. */
interface Identified {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

type Headers = NonNullable<ApiRequest['headers']>;

/** Value of the Accept header for the metadata of one object; a list adds `List`. */
export const METADATA_FORM = 'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata';

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json' };
/** The server sends back only the metadata, which is faster than the whole object. */
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
    const found = await this.#json<R>({ method: 'GET', path, headers, ...withSignal(signal) });
    return { ...found, ...this.#identity };
  }

  /** Returns an object as JSON, with all digits of its integers. */
  async getText(namespace: string | undefined, name: string, signal?: AbortSignal): Promise<string> {
    const path = this.path(namespace, name);
    const headers = this.#readHeaders();
    const { body } = await this.#text({ method: 'GET', path, headers, ...withSignal(signal) });
    return body;
  }

  /** Returns the object, or undefined when it does not exist. */
  async find(namespace: string | undefined, name: string, signal?: AbortSignal): Promise<R | undefined> {
    return unlessMissing(this.get(namespace, name, signal));
  }

  /** Returns one page. Rejects with reason `Expired` (410) when the list expired between pages. */
  async list(options: ListOptions & Reduction<R> = {}): Promise<ListResult<R>> {
    const { namespace, signal, limit, reduce = (object: R) => object, ...rest } = options;
    const query = { ...rest, ...(limit !== undefined && { limit: String(limit) }) };
    const response = await this.#send({
      method: 'GET',
      path: this.path(namespace),
      query: definedOnly(query),
      headers: this.#readHeaders('List'),
      ...withSignal(signal),
    });
    if (response.status >= 400) throw errorResponse(response, await this.#body(response, signal));
    const items: R[] = [];
    const decoder = new ListDecoder((item) => items.push(reduce({ ...this.#identity, ...(item as R) })));
    const { metadata } = await this.#outline(response, decoder, signal);
    return {
      items,
      resourceVersion: metadata.resourceVersion,
      continue: metadata.continue || undefined,
      remainingItemCount: metadata.remainingItemCount,
    };
  }

  /**
   * Yields the objects of all pages, as of the first page, and reads a page when it is needed. Rejects as `list`.
   * `limit` is the page size, by default DEFAULT_PAGE_SIZE.
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
   * Creates the object and returns it as sent, with the metadata of the server. Costs less than `create`, but the result
   * lacks the defaults of the schema.
   */
  async createAsSent(draft: Draft<R>, signal?: AbortSignal): Promise<Omit<R, 'status'>> {
    const sent = this.#identified(draft);
    const { metadata } = await this.#post<KubernetesObject>(sent, METADATA_BODY, signal);
    return { ...sent, metadata } as unknown as Omit<R, 'status'>;
  }

  /** Replaces the object. Rejects with reason `Conflict` (409) unless its resourceVersion is current. */
  async replace(object: R, signal?: AbortSignal): Promise<R> {
    return this.#put<R>(object, '', JSON_BODY, signal);
  }

  /**
   * Replaces only the status. Rejects with reason `Conflict` (409) unless its resourceVersion is current. Sends only
   * the identity and the status, because the server ignores everything else. Returns the object with the metadata of the
   * server.
   */
  async replaceStatus(object: R & { readonly status?: object }, signal?: AbortSignal): Promise<R> {
    const { apiVersion, kind, status } = object;
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const written = { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status };
    const { metadata } = await this.#put<KubernetesObject>(written, '/status', METADATA_BODY, signal);
    return { ...object, metadata };
  }

  async patch(object: { namespace?: string; name: string }, patch: object, signal?: AbortSignal): Promise<R> {
    return this.#patch(this.path(object.namespace, object.name), patch, signal);
  }

  async patchStatus(
    object: { namespace?: string; name: string },
    patch: object,
    signal?: AbortSignal,
  ): Promise<R> {
    return this.#patch(`${this.path(object.namespace, object.name)}/status`, patch, signal);
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

  /** Opens a watch and returns the raw stream, which the reflector reads. */
  async watch(
    selection: Selection,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ApiResponse> {
    const { namespace, ...selectors } = selection;
    const response = await this.#send({
      method: 'GET',
      path: this.path(namespace),
      query: definedOnly({ ...selectors, ...query, watch: 'true' }),
      headers: this.#readHeaders(),
      signal,
    });
    if (response.status >= 400) throw errorResponse(response, await this.#body(response, signal));
    return response;
  }

  /** Returns the path of the collection, or of one object. */
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

  async #put<T>(
    object: Identified,
    subresource: '' | '/status',
    headers: Headers,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { namespace, name } = object.metadata;
    const path = this.path(namespace, name) + subresource;
    return this.#write<T>({ method: 'PUT', path, headers }, object, signal);
  }

  async #patch(path: string, patch: object, signal: AbortSignal | undefined): Promise<R> {
    return this.#write<R>({ method: 'PATCH', path, headers: MERGE_PATCH }, patch, signal);
  }

  async #write<T>(
    request: Pick<ApiRequest, 'method' | 'path' | 'headers'>,
    body: object,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#json<T>({ ...request, body: JSON.stringify(body), ...withSignal(signal) });
  }

  async #json<T>(request: ApiRequest): Promise<T> {
    const { status, body } = await this.#text(request);
    await yieldForLarge(body);
    const answer = parseObject(body);
    await yieldForLarge(body);
    if (!answer) throw notAnApi(status);
    return answer as T;
  }

  /** Decodes a list. Returns it without its items. */
  async #outline(
    response: ApiResponse,
    decoder: ListDecoder,
    signal: AbortSignal | undefined,
  ): Promise<RawList> {
    try {
      for await (const piece of response.body) await decoder.push(piece);
      const list = decoder.end();
      if (isList(list)) return list;
    } catch (cause) {
      signal?.throwIfAborted();
      if (!(cause instanceof SyntaxError)) throw unreachable(cause);
    }
    throw notAnApi(response.status);
  }

  async #text(request: ApiRequest): Promise<{ readonly status: number; readonly body: string }> {
    const response = await this.#send(request);
    const body = await this.#body(response, request.signal);
    if (response.status >= 400) throw errorResponse(response, body);
    return { status: response.status, body };
  }

  async #body(response: ApiResponse, signal: AbortSignal | undefined): Promise<string> {
    try {
      return await text(response);
    } catch (cause) {
      signal?.throwIfAborted();
      throw unreachable(cause);
    }
  }

  async #send(request: ApiRequest): Promise<ApiResponse> {
    try {
      return await this.#transport.send(request);
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw unreachable(cause);
    }
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

/** A list without its items. */
interface RawList {
  items: unknown[] | null;
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

function isList(value: unknown): value is RawList {
  const { items, metadata } = (value ?? {}) as Partial<RawList>;
  // An empty metadata-only list has `items: null`.
  return (items === null || Array.isArray(items)) && !!metadata?.resourceVersion;
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KubernetesApiError && error.code === 404) return undefined;
    throw error;
  }
}

async function text(response: ApiResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  return pieces.length === 1
    ? Buffer.from(pieces[0] as Uint8Array).toString()
    : Buffer.concat(pieces).toString();
}

/**
 * Converts an error response. A body that is not a Status, such as a proxy's page, is reported by its HTTP status only.
 */
function errorResponse(response: ApiResponse, body: string): KubernetesApiError {
  const seconds = Number(response.headers['retry-after']);
  const options = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
  const status = parseObject(body) as ApiStatus | undefined;
  if (status?.kind === 'Status') return new KubernetesApiError({ ...status, code: response.status }, options);
  return new KubernetesApiError(
    { code: response.status, message: `the API server returned ${response.status}` },
    options,
  );
}

function unreachable(cause: unknown): KubernetesApiError {
  const message = `the API server cannot be reached: ${(cause as Error).message}`;
  return new KubernetesApiError({ code: 0, reason: 'Unreachable', message }, { cause });
}

/**
 * Something between us and the API server responded instead. The message does not quote the body, which may contain
 * anything.
 */
function notAnApi(status: number): KubernetesApiError {
  const message = `the response (${status}) is not from the Kubernetes API: check that the address is not a proxy or another service`;
  return new KubernetesApiError({ code: 0, reason: 'NotAnApiServer', message });
}

function parseObject(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]));
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
