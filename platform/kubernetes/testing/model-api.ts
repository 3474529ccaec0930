import type { KubernetesObject } from '@trifold/crds';
import type { ApiRequest, ApiResponse, ApiTransport } from '../client/transport.ts';

/** An object of the model. */
export interface Thing extends KubernetesObject {
  spec: { text: string };
}

/** How the model's only kind is addressed. */
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
  /** The reader has let go of it. */
  released = false;

  write(piece: Uint8Array | string): void {
    this.#pieces.push(Buffer.from(piece));
    this.#wake.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  /** As a connection that breaks. */
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

/** Answers a request in the model's place; undefined lets the model answer. */
export type Intercept = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse | undefined;

/**
 * A small API server for tests, of one kind, with a history that can be forgotten and answers that can be replaced.
 * Lists in pages of one moment, watches from any version of the history, bookmarks when told to.
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

  /** Watches that are open. */
  get watches(): readonly OpenBody[] {
    return [...this.#watches];
  }

  /** The requests that opened a watch. */
  get watchRequests(): readonly ApiRequest[] {
    return this.requests.filter(isWatch);
  }

  /** The requests for a list or a page of one. */
  get listRequests(): readonly ApiRequest[] {
    return this.requests.filter((request) => !isWatch(request));
  }

  objects(): Thing[] {
    return [...this.#objects.values()];
  }

  /** Answers the next list, or the next watch, in the model's place. */
  intercept(
    what: 'list' | 'watch',
    answer: (request: ApiRequest) => Promise<ApiResponse> | ApiResponse,
  ): void {
    const wanted = what === 'watch';
    this.interceptAll((request) => {
      if (isWatch(request) !== wanted) return undefined;
      this.#intercepts = this.#intercepts.filter((other) => other !== own);
      return answer(request);
    });
    const own = this.#intercepts.at(-1);
  }

  /** Takes back every intercept. */
  behave(): void {
    this.#intercepts = [];
  }

  /** Whether an intercept waits for its request. */
  get isIntercepted(): boolean {
    return this.#intercepts.length > 0;
  }

  /** Asks for each request, until the returned function is called. */
  interceptAll(intercept: Intercept): () => void {
    this.#intercepts.push(intercept);
    return () => {
      this.#intercepts = this.#intercepts.filter((other) => other !== intercept);
    };
  }

  /** Creates the object or changes its text. */
  put(name: string, text = '', namespace = 'default'): Thing {
    const known = this.#objects.get(`${namespace}/${name}`);
    const metadata = known?.metadata ?? {
      name,
      namespace,
      uid: `uid-${++this.#uids}`,
      generation: 0,
      creationTimestamp: '2026-11-21T12:00:00Z',
      resourceVersion: '',
    };
    const object: Thing = {
      apiVersion: 'test.example/v1',
      kind: 'Thing',
      metadata: { ...metadata, generation: metadata.generation + 1, resourceVersion: this.#nextVersion() },
      spec: { text },
    };
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

  /** Forgets the history, as compaction does: older versions can be neither watched nor paged any more. */
  compact(): void {
    this.#forgottenUntil = this.#version;
    this.#history = [];
    this.#snapshots.clear();
  }

  /** Begins anew with low versions and nothing in it, as a server whose data were lost. */
  lose(): void {
    this.#objects.clear();
    this.compact();
    this.#forgottenUntil = 0;
    this.#version = 10;
  }

  /** Sends every open watch the version of now. */
  bookmark(): void {
    this.toWatches({
      type: 'BOOKMARK',
      object: {
        kind: 'Thing',
        apiVersion: 'test.example/v1',
        metadata: { resourceVersion: String(this.#version) },
      },
    });
  }

  /** Writes an event of the test's own making into every open watch. */
  toWatches(event: object): void {
    for (const body of this.#watches) body.write(`${JSON.stringify(event)}\n`);
  }

  /** Ends every open watch, politely or with an error of the connection. */
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
      const answer = await intercept(request);
      if (answer) return answer;
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
    if (!all) return statusAnswer(410, 'Expired', 'The provided continue parameter is too old');
    this.#snapshots.set(version, all);
    const end = offset + (limit === undefined ? all.length : Number(limit));
    const metadata = {
      resourceVersion: String(version),
      ...(end < all.length && { continue: `${version}-${end}`, remainingItemCount: all.length - end }),
    };
    return jsonAnswer(200, {
      kind: 'ThingList',
      apiVersion: 'test.example/v1',
      metadata,
      items: all.slice(offset, end),
    });
  }

  #watch(request: ApiRequest): ApiResponse {
    const from = Number(request.query?.['resourceVersion']);
    if (from < this.#forgottenUntil) return statusAnswer(410, 'Expired', 'too old resource version');
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

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: object, headers: Record<string, string> = {}): ApiResponse {
  return answerOf(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** A refusal as the API server words it. */
export function statusAnswer(
  code: number,
  reason: string,
  message = reason,
  headers: Record<string, string> = {},
): ApiResponse {
  return jsonAnswer(code, statusOf(code, reason, message), headers);
}

export function statusOf(code: number, reason: string, message = reason): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** An answer with any body, in one piece. */
export function answerOf(status: number, body: string, headers: Record<string, string>): ApiResponse {
  async function* pieces() {
    yield Buffer.from(body);
  }
  return { status, headers, body: pieces() };
}
