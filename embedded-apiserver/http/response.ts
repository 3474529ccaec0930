import type { ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import type { StatusError } from '../objects/status-error.ts';

/** Returns a response with one chunk. `body` is a JSON string or a value to serialize. */
export function jsonResponse(
  status: number,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: onePiece(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

export function textResponse(status: number, body: string): ApiResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: onePiece(body) };
}

/** Returns the response for an error, with its Status as the body. */
export function statusErrorResponse(error: StatusError): ApiResponse {
  const seconds = error.status.details?.retryAfterSeconds;
  const headers: Record<string, string> = {};
  if (seconds !== undefined) headers['retry-after'] = String(seconds);
  if (error.status.code === 401) headers['www-authenticate'] = 'Bearer';
  return jsonResponse(error.status.code, error.status, headers);
}

/** `Warning` header as the API server writes it (RFC 7234, code 299), with commas between multiple warnings. */
export function warningHeader(warnings: readonly string[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {};
  const values = warnings
    .slice(0, 20)
    .map((text) => `299 - "${text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, String.raw`\$&`)}"`);
  return { warning: values.join(', ') };
}

/** Once the piece has been read, only its reader holds it. */
function onePiece(text: string): AsyncIterable<Uint8Array> {
  let left: string | undefined = text;
  return {
    [Symbol.asyncIterator]() {
      return {
        next() {
          if (left === undefined) return Promise.resolve({ done: true, value: undefined });
          const value = Buffer.from(left);
          left = undefined;
          return Promise.resolve({ done: false, value });
        },
      };
    },
  };
}
