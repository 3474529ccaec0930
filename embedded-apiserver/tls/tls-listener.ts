import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { ApiRequest, ApiResponse, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { HEADER_TIMEOUTS } from '@trifold/platform/process/http-timeouts.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import { mediaTypeOf } from '../encoding/body.ts';
import { decodeProtobufObject } from '../encoding/protobuf.ts';
import { methodNotAllowed, StatusError, tooLarge, unauthorized } from '../objects/status-error.ts';
import { BODY_LIMIT } from '../http/api-handler.ts';
import type { Credentials } from './credentials.ts';
import { statusErrorResponse } from '../http/response.ts';
import { UnreadPiece, type UnreadBytes } from '../store/unread-bytes.ts';

/** Health endpoints, which require no token. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Time within which a request must arrive completely. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Time for which a client may stop reading a response. */
const STALLED_MS = 1000 * BOUNDS.stalledReaders.limit.value;

export interface TlsListenerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly unread: UnreadBytes;
}

/** Serves a transport over TLS to clients with the token. */
export class TlsListener {
  readonly #server: Server;
  /** Includes sockets in the TLS handshake, which the server does not track as connections. */
  readonly #sockets = new Set<Socket>();
  readonly #api: ApiTransport;
  readonly #tokenHash: Buffer;
  readonly #logger: Logger;
  readonly #options: TlsListenerOptions;

  constructor(api: ApiTransport, credentials: Credentials, options: TlsListenerOptions) {
    const { logger } = options;
    this.#options = options;
    this.#api = api;
    this.#tokenHash = sha256(credentials.token);
    this.#logger = logger;
    this.#server = createServer(
      {
        cert: credentials.server.certificate,
        key: credentials.server.key,
        minVersion: 'TLSv1.2',
        ALPNProtocols: ['http/1.1'],
        keepAliveTimeout: 60_000,
        ...HEADER_TIMEOUTS,
        handshakeTimeout: HEADER_TIMEOUTS.headersTimeout,
        requestTimeout: REQUEST_TIMEOUT_MS,
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#server.maxConnections = BOUNDS.apiConnections.limit.value;
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // A failed handshake is the client's problem.
    this.#server.on('tlsClientError', () => undefined);
    this.#server.on('error', (err) => logger.error({ err }, 'listener failed'));
  }

  /** Listens and returns the port. Rejects if the address is not available. */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    // After a reset during the response, `close` also fires.
    response.on('error', () => undefined);
    try {
      await this.#write(response, await this.#answer(request, gone.signal), gone.signal);
    } catch (err) {
      if (!gone.signal.aborted) this.#logFailure(err);
      response.destroy();
    }
  }

  #logFailure(err: unknown): void {
    if (err instanceof TrifoldError && err.code === 'reader_too_slow')
      this.#logger.info({ err }, 'response dropped');
    else this.#logger.error({ err }, 'response failed');
  }

  async #write(response: ServerResponse, answer: ApiResponse, signal: AbortSignal): Promise<void> {
    response.writeHead(answer.status, answer.headers);
    // Sends a watch's headers before its first event.
    response.flushHeaders();
    const pieces = answer.body[Symbol.asyncIterator]();
    try {
      while (!signal.aborted && (await this.#writeNext(response, pieces, signal)));
    } finally {
      // Not awaited: a body that hangs in next() would hang in return() too.
      pieces.return?.().catch(() => undefined);
    }
    response.end();
  }

  /** Writes the next piece of a body. Returns false at the end. */
  async #writeNext(
    response: ServerResponse,
    pieces: AsyncIterator<Uint8Array>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const chunks = await this.#nextChunks(pieces);
    try {
      for (let chunk = chunks?.next(); chunk; chunk = chunks?.next()) {
        if (signal.aborted) return false;
        if (!response.write(chunk)) await this.#drained(response, signal);
      }
    } finally {
      chunks?.release();
    }
    return chunks !== undefined;
  }

  /** Only the result holds the piece, so that it can be dropped. */
  async #nextChunks(pieces: AsyncIterator<Uint8Array>): Promise<UnreadPiece | undefined> {
    const { done, value } = await pieces.next();
    return done ? undefined : new UnreadPiece(this.#options.unread, value);
  }

  /** Closes the connection if its client stops reading. */
  async #drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
    const cancel = this.#options.clock.schedule(STALLED_MS, () => response.destroy());
    try {
      await once(response, 'drain', { signal });
    } finally {
      cancel();
    }
  }

  async #answer(request: IncomingMessage, signal: AbortSignal): Promise<ApiResponse> {
    try {
      const url = new URL(request.url ?? '/', 'https://control-plane');
      if (!PUBLIC_PATHS.has(url.pathname)) this.#authenticate(request.headers.authorization);
      return await this.#api.send(await toApiRequest(request, url, signal));
    } catch (error) {
      if (error instanceof StatusError) return statusErrorResponse(error);
      throw error;
    }
  }

  #authenticate(authorization: string | undefined): void {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined || !timingSafeEqual(sha256(token), this.#tokenHash)) throw unauthorized();
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function toApiRequest(request: IncomingMessage, url: URL, signal: AbortSignal): Promise<ApiRequest> {
  const { method = 'GET', headers } = request;
  if (!METHODS.includes(method)) throw methodNotAllowed();
  const { text, type } = decodeText(await readBody(request), headers['content-type']);
  return {
    method: method as ApiRequest['method'],
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: {
      ...(headers.accept !== undefined && { accept: headers.accept }),
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(text.length > 0 && { body: text }),
    signal,
  };
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Returns the body as text. Converts protobuf of known kinds to JSON; for others, the handler returns 404 or 415. */
function decodeText(body: Buffer, type: string | undefined): { text: string; type: string | undefined } {
  if (body.length === 0 || mediaTypeOf(type) !== PROTOBUF) return { text: body.toString(), type };
  const object = decodeProtobufObject(body);
  return object
    ? { text: JSON.stringify(object), type: 'application/json' }
    : { text: body.toString(), type };
}

/**
 * A body above the limit is read and dropped up to this size, so that a client that is still sending gets the error.
 */
const DISCARD_LIMIT = 10 * BODY_LIMIT;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > DISCARD_LIMIT) break;
    if (size <= BODY_LIMIT) pieces.push(piece);
  }
  if (size > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
  return Buffer.concat(pieces);
}
