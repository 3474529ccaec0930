import type { ConnectionError, FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isEnding } from '../body/unread-bodies.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RequestErrorCode } from '@trifold/platform/errors/error-codes.ts';
import { errorBodyOf } from '../errors/error-body.ts';
import { admitPipelined } from './pipelining.ts';
import type { RequestObserver } from './request-observation.ts';

const ERRORS: Readonly<Record<string, { code: RequestErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'The complete request did not arrive within the time limit.',
  },
};

const NOT_HTTP = { code: 'invalid_request', message: 'The request is not valid HTTP.' } as const;

export interface BrokenRequestOptions {
  readonly newRequestId: () => string;
  readonly observer: RequestObserver;
  readonly clock: Clock;
}

/** Methods of the routes, for CONNECT: a CONNECT target is an address, so no route determines the methods. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** Time the client has to read the last response on its connection. */
const LINGER_MS = 2_000;

/** Responds to input that is not HTTP, so that even this response has an ID and the common error format. */
export function respondToBrokenRequest(
  error: ConnectionError,
  socket: Socket,
  options: BrokenRequestOptions,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (isEnding(socket)) {
    socket.destroySoon();
    return;
  }
  const { code, message } = ERRORS[error.code] ?? NOT_HTTP;
  reject(socket, new ApiError(code, message), options);
}

/** Responds when Node's server has no request to respond to, and closes the connection. */
function reject(
  socket: Socket,
  error: ApiError,
  { newRequestId, observer, clock }: BrokenRequestOptions,
): void {
  const { id, head, body } = rawResponse(error, newRequestId());
  observer.rejected(id, head.status);
  const lines = Object.entries(head.headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${head.status} ${STATUS_CODES[head.status]}`;
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${body}`);
  // The client may never close its side.
  socket.once(
    'close',
    clock.schedule(LINGER_MS, () => socket.destroy()),
  );
}

/** Responds in the common error format where Node's server would respond without a body. */
export const httpConformance = fastifyPlugin(
  async (app: FastifyInstance, options: BrokenRequestOptions) => {
    const { newRequestId, observer } = options;
    app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      if (!admitPipelined(request, response)) return;
      const error = new ApiError('expectation_failed', 'The only supported Expect header is 100-continue.');
      const { id, head, body } = rawResponse(error, newRequestId());
      observer.rejected(id, head.status);
      response.writeHead(head.status, head.headers).end(body);
    });
    app.server.on('connect', (request: IncomingMessage, socket: Socket) => {
      const message = `CONNECT ${JSON.stringify(request.url)} is not supported: the service is not a proxy.`;
      reject(socket, new ApiError('method_not_allowed', message, { headers: { allow: METHODS } }), options);
    });
    app.addHook('onRequest', async ({ raw }) => {
      const problem = hostProblem(raw);
      if (problem === undefined) return;
      throw new ApiError('invalid_request', problem, { headers: { connection: 'close' } });
    });
  },
  { name: 'http-conformance' },
);

/**
 * Returns the problem with the Host headers (RFC 9112, section 3.2). If there are several, Node keeps the first in
 * `headers`.
 */
function hostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.0' ? undefined : 'The request has no Host header.';
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? 'The request has more than one Host header.' : undefined;
}

function rawResponse(error: ApiError, id: string) {
  const body = JSON.stringify(errorBodyOf(error, id));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    connection: 'close',
    ...error.headers,
  };
  return { id, head: { status: error.statusCode, headers }, body };
}
