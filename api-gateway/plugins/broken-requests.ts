import type { ConnectionError } from 'fastify';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { ApiError, type ErrorCode } from '../errors/api-error.ts';
import { errorBodyOf } from '../errors/error-body.ts';

const REFUSALS: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request took too long to arrive.' },
};

/** Answers what is not HTTP at all, so that even that has an id and the common shape. */
export function answerBrokenRequest(
  error: ConnectionError,
  socket: Socket,
  newRequestId: () => string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = REFUSALS[error.code] ?? {
    code: 'invalid_request',
    message: 'The request is not valid HTTP.',
  };
  const told = new ApiError(refusal.code, refusal.message);
  const id = newRequestId();
  const body = JSON.stringify(errorBodyOf(told, id));
  const head = [
    `HTTP/1.1 ${told.statusCode} ${STATUS_CODES[told.statusCode]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
