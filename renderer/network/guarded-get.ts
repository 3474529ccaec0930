import type { IncomingMessage } from 'node:http';
import { guardedRequest, type GuardedRequest } from '@trifold/platform/outbound/guarded-request.ts';
import { OutboundError } from '@trifold/platform/outbound/outbound-error.ts';

export interface GuardedGetOptions extends Pick<GuardedRequest, 'guard' | 'resolver' | 'signal'> {
  /** Maximum bytes of the response. */
  readonly maxBytes: number;
}

/** Response: the content of a 200, or a redirect. */
export type GuardedAnswer =
  | { readonly kind: 'content'; readonly contentType: string; readonly body: Buffer }
  | { readonly kind: 'redirect'; readonly location: string };

/** The size of compressed content would be known too late. */
const HEADERS = { 'user-agent': 'Trifold-Renderer', 'accept-encoding': 'identity' };

/** Sends one GET without cookies or credentials. Rejects as `guardedRequest`. */
export async function guardedGet(url: URL, options: GuardedGetOptions): Promise<GuardedAnswer> {
  const { maxBytes, ...rest } = options;
  const message = await guardedRequest(url, { ...rest, method: 'GET', headers: HEADERS });
  const { statusCode = 0, headers } = message;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    message.destroy();
    return { kind: 'redirect', location: headers.location };
  }
  const problem = problemOf(message, maxBytes);
  if (problem) {
    message.destroy();
    throw problem;
  }
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  return { kind: 'content', contentType, body: await read(message, maxBytes) };
}

function problemOf({ statusCode, headers }: IncomingMessage, maxBytes: number): OutboundError | undefined {
  if (statusCode !== 200) return new OutboundError('http_error', `the answer was ${statusCode}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return new OutboundError('answer_invalid', 'the answer is compressed');
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

async function read(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    length += piece.length;
    // Leaving the loop closes the connection.
    if (length > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('answer_invalid', `the answer is larger than ${maxBytes} bytes`);
}
