import type { KubernetesObject } from '@trifold/crds';
import type { ApiRequest, ApiResponse, ApiTransport } from '../client/transport.ts';

/** An object in the model. */
export interface Thing extends KubernetesObject {
  spec: { text: string };
}

const KIND = { apiVersion: 'test.example/v1', kind: 'Thing' };

/** Returns an object in the namespace `default` as a server would. */
export function thingOf(name: string, { uid = `uid-${name}`, resourceVersion = '7', text = '' } = {}): Thing {
  const metadata = { name, namespace: 'default', uid, resourceVersion, generation: 1 };
  return { ...KIND, metadata: { ...metadata, creationTimestamp: '2026-11-21T12:00:00Z' }, spec: { text } };
}

/** Name of the model's only kind. */
export const THING = {
  group: 'test.example',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
};

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Thing;
}

/** A body that a test writes while it is being read. */
export class OpenBody implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #ended = false;
  #failure: Error | undefined;
  #wake = Promise.withResolvers<void>();
  /** Whether the reader has released the body. */
  released = false;

  write(piece: Uint8Array | string): void {
    this.#pieces.push(Buffer.from(piece));
    this.#wake.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  /** Simulates a broken connection. */
  fail(failure: Error): void {
    this.#failure = failure;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece) yield piece;
        else if (this.#failure) throw this.#failure;
        else if (this.#ended) return;
        else await this.#sleep();
      }
    } finally {
      this.released = true;
    }
  }

  async #sleep(): Promise<void> {
    await this.#wake.promise;
    this.#wake = Promise.withResolvers();
  }
}

/** Responds to a request instead of the model; undefined lets the model respond. */
export type Intercept = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse | undefined;

/**
 * A small API server for tests, with one kind, a history that can be compacted, and responses that can be replaced.
 * Supports paged lists of a snapshot, watches from any version of the history, and bookmarks on demand.
 */
export class ModelApi implements ApiTransport {
  readonly requests: ApiRequest[] = [];
  readonly #objects = new Map<string, Thing>();
  readonly #snapshots = new Map<number, readonly Thing[]>();
  readonly #watches = new Set<OpenBody>();
  #history: Change[] = [];
  #intercepts: Intercept[] = [];
  #forgottenUntil = 0;
  #version = 10;
  #uids = 0;

  get version(): number {
    return this.#version;
  }

  /** Open watches. */
  get watches(): readonly OpenBody[] {
    return [...this.#watches];
  }

  /** The requests that opened a watch. */
  get watchRequests(): readonly ApiRequest[] {
    return this.requests.filter(isWatch);
  }

  /** The requests for a list or one of its pages. */
  get listRequests(): readonly ApiRequest[] {
    return this.requests.filter((request) => !isWatch(request));
  }

  objects(): Thing[] {
    return [...this.#objects.values()];
  }

  /** Responds to the next list, or the next watch, instead of the model. */
  intercept(
    what: 'list' | 'watch',
    response: (request: ApiRequest) => Promise<ApiResponse> | ApiResponse,
  ): void {
    const wanted = what === 'watch';
    this.interceptAll((request) => {
      if (isWatch(request) !== wanted) return undefined;
      this.#intercepts = this.#intercepts.filter((other) => other !== own);
      return response(request);
    });
    const own = this.#intercepts.at(-1);
  }

  /** Removes all intercepts. */
  behave(): void {
    this.#intercepts = [];
  }

  /** Whether an intercept is still waiting for its request. */
  get isIntercepted(): boolean {
    return this.#intercepts.length > 0;
  }

  /** Applies the intercept to every request until the returned function is called. */
  interceptAll(intercept: Intercept): () => void {
    this.#intercepts.push(intercept);
    return () => {
      this.#intercepts = this.#intercepts.filter((other) => other !== intercept);
    };
  }

  /** Creates the object or changes its text. */
  put(name: string, text = '', namespace = 'default'): Thing {
    const known = this.#objects.get(`${namespace}/${name}`);
    const created = thingOf(name, { uid: known?.metadata.uid ?? `uid-${++this.#uids}`, text });
    const generation = (known?.metadata.generation ?? 0) + 1;
    const resourceVersion = this.#nextVersion();
    const object = { ...created, metadata: { ...created.metadata, namespace, generation, resourceVersion } };
    this.#objects.set(`${namespace}/${name}`, object);
    this.#record({ type: known ? 'MODIFIED' : 'ADDED', object });
    return object;
  }

  delete(name: string, namespace = 'default'): void {
    const known = this.#objects.get(`${namespace}/${name}`);
    if (!known) return;
    this.#objects.delete(`${namespace}/${name}`);
    const metadata = { ...known.metadata, resourceVersion: this.#nextVersion() };
    this.#record({ type: 'DELETED', object: { ...known, metadata } });
  }

  /** Discards the history, as a compaction does: older versions can no longer be watched or paged. */
  compact(): void {
    this.#forgottenUntil = this.#version;
    this.#history = [];
    this.#snapshots.clear();
  }

  /** Starts over with low versions and no objects, like a server that lost its data. */
  lose(): void {
    this.#objects.clear();
    this.compact();
    this.#forgottenUntil = 0;
    this.#version = 10;
  }

  /** Sends a bookmark with the current version to every open watch. */
  bookmark(): void {
    this.toWatches({
      type: 'BOOKMARK',
      object: { ...KIND, metadata: { resourceVersion: String(this.#version) } },
    });
  }

  /** Writes an arbitrary event to every open watch. */
  toWatches(event: object): void {
    for (const body of this.#watches) body.write(`${JSON.stringify(event)}\n`);
  }

  /** Ends every open watch, cleanly or with a connection error. */
  endWatches(failure?: Error): void {
    for (const body of this.#watches) {
      if (failure) body.fail(failure);
      else body.end();
    }
    this.#watches.clear();
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    request.signal?.throwIfAborted();
    for (const intercept of this.#intercepts) {
      const response = await intercept(request);
      if (response) return response;
    }
    return isWatch(request) ? this.#watch(request) : this.#list(request);
  }

  #nextVersion(): string {
    this.#version += 1;
    return String(this.#version);
  }

  #record(change: Change): void {
    this.#history.push(change);
    this.toWatches(change);
  }

  #list(request: ApiRequest): ApiResponse {
    const { limit, continue: token } = request.query ?? {};
    const [version = 0, offset = 0] = token ? token.split('-').map(Number) : [this.#version, 0];
    const all = token ? this.#snapshots.get(version) : this.objects();
    if (!all) return statusResponse(410, 'Expired', 'The provided continue parameter is too old');
    this.#snapshots.set(version, all);
    const end = offset + (limit === undefined ? all.length : Number(limit));
    const metadata = {
      resourceVersion: String(version),
      ...(end < all.length && { continue: `${version}-${end}`, remainingItemCount: all.length - end }),
    };
    return jsonResponse(200, { ...KIND, kind: 'ThingList', metadata, items: all.slice(offset, end) });
  }

  #watch(request: ApiRequest): ApiResponse {
    const from = Number(request.query?.['resourceVersion']);
    if (from < this.#forgottenUntil) return statusResponse(410, 'Expired', 'too old resource version');
    const body = new OpenBody();
    for (const change of this.#history) {
      if (Number(change.object.metadata.resourceVersion) > from) body.write(`${JSON.stringify(change)}\n`);
    }
    this.#watches.add(body);
    request.signal?.addEventListener('abort', () => {
      this.#watches.delete(body);
      body.fail(request.signal?.reason as Error);
    });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
}

function isWatch(request: ApiRequest): boolean {
  return request.query?.['watch'] === 'true';
}

/** Returns a response with a JSON body. */
export function jsonResponse(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): ApiResponse {
  return responseOf(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** Returns an error response in the format of the API server. */
export function statusResponse(
  code: number,
  reason: string,
  message = reason,
  headers: Record<string, string> = {},
): ApiResponse {
  return jsonResponse(code, statusOf(code, reason, message), headers);
}

export function statusOf(code: number, reason: string, message = reason): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** Returns a response with any body, in one piece. */
export function responseOf(status: number, body: string, headers: Record<string, string>): ApiResponse {
  async function* pieces() {
    yield Buffer.from(body);
  }
  return { status, headers, body: pieces() };
}
