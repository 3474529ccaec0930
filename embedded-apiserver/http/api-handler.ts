import type { ApiRequest, ApiResponse, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import {
  internalError,
  methodNotAllowed,
  StatusError,
  tooLarge,
  unknownPath,
} from '../objects/status-error.ts';
import { checkJsonAcceptable } from './accept.ts';
import { handleResource, type ResourceServer } from './resource-handler.ts';
import { jsonResponse, statusErrorResponse, textResponse } from './response.ts';
import { routeResource, type KindIndex } from './route.ts';

/** Maximum size of a request body in bytes (kube-apiserver's limit for JSON). */
export const BODY_LIMIT = 3 * 1024 * 1024;

/** Maximum number of requests served in one turn of the event loop before the process's other work runs. */
const REQUESTS_PER_TURN = 16;

/** Static documents by path: discovery and OpenAPI. */
export type FixedDocuments = ReadonlyMap<string, string>;

const HEALTH: ReadonlySet<string> = new Set(['/readyz', '/livez', '/healthz']);

/**
 * Serves requests from the network and from the same process. A failure is a response; `send` rejects only if the
 * request is aborted, the server is closed, or the disk fails, in which case it is unknown whether a write is durable.
 */
export class ApiHandler implements ApiTransport {
  readonly #server: ResourceServer;
  readonly #kinds: KindIndex;
  readonly #documents: FixedDocuments;
  readonly #logger: Logger;
  #servedThisTurn = 0;
  #turn: Promise<void> | undefined;
  #closed = false;

  constructor(
    server: ResourceServer,
    kinds: KindIndex,
    options: { documents: FixedDocuments; logger: Logger },
  ) {
    this.#server = server;
    this.#kinds = kinds;
    this.#documents = options.documents;
    this.#logger = options.logger;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    await this.#takeTurn();
    request.signal?.throwIfAborted();
    // Clients in the same process see the same error as with an unreachable server.
    if (this.#closed) throw new Error('the embedded control plane is closed');
    const response = await this.#respond(request);
    // Errors and reads also wait: the state they show must not be lost either.
    await this.#server.registry.durable();
    return response;
  }

  close(): void {
    this.#closed = true;
  }

  async #respond(request: ApiRequest): Promise<ApiResponse> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof StatusError) return statusErrorResponse(error);
      this.#logger.error({ err: error, method: request.method, path: request.path }, 'request failed');
      return statusErrorResponse(internalError('internal error; see the server log'));
    }
  }

  #answer(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const { path, body } = request;
    if (body !== undefined && body.length > BODY_LIMIT / 3 && Buffer.byteLength(body) > BODY_LIMIT)
      throw tooLarge(BODY_LIMIT);
    const route = routeResource(path, this.#kinds);
    if (route) return handleResource(this.#server, request, route);
    return this.#fixed(request);
  }

  #fixed(request: ApiRequest): ApiResponse {
    const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
    if (path === '/openapi/v2' && request.method === 'GET') return emptyOpenApiV2();
    const document = this.#documents.get(path);
    if (document === undefined && !HEALTH.has(path)) throw unknownPath();
    if (request.method !== 'GET') throw methodNotAllowed();
    if (document === undefined) return textResponse(200, 'ok');
    checkJsonAcceptable(request.headers?.['accept']);
    return jsonResponse(200, document);
  }

  /** In-process calls settle without a turn of the event loop; a busy caller must not starve sockets. */
  async #takeTurn(): Promise<void> {
    this.#servedThisTurn += 1;
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#servedThisTurn = 0;
        this.#turn = undefined;
        resolve();
      });
    });
    if (this.#servedThisTurn > REQUESTS_PER_TURN) await this.#turn;
  }
}

/**
 * kubectl requests OpenAPI v2, as protobuf, when v3 does not contain the given kind. Given an empty document (no
 * bytes), kubectl continues and reports an unknown kind; otherwise, it reports that the document is missing.
 */
function emptyOpenApiV2(): ApiResponse {
  const response = textResponse(200, '');
  const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
  return { ...response, headers: { 'content-type': type } };
}
