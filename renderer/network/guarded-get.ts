import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import { checkedAddresses, pinned, verifyPeer } from '@trifold/platform/outbound/checked-connection.ts';
import { OutboundError } from '@trifold/platform/outbound/outbound-error.ts';
import type { Resolver } from '@trifold/platform/outbound/resolver.ts';

export interface GuardedGetOptions {
  readonly guard: Pick<AddressGuard, 'allows'>;
  readonly resolver: Resolver;
  /** Maximum bytes of the response. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Response: the content of a 200, or a redirect. */
export type GuardedAnswer =
  | { readonly kind: 'content'; readonly contentType: string; readonly body: Buffer }
  | { readonly kind: 'redirect'; readonly location: string };

const USER_AGENT = 'Trifold-Renderer';

/**
 * Sends one GET without cookies or credentials. Resolves the name once, checks every address, and connects to a checked
 * one. Rejects with OutboundError for any socket error, or with the signal's reason.
 */
export async function guardedGet(url: URL, options: GuardedGetOptions): Promise<GuardedAnswer> {
  const { guard, resolver, maxBytes, signal } = options;
  const addresses = await checkedAddresses(url, guard, resolver, signal);
  signal.throwIfAborted();
  const message = await send(url, addresses, options);
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

async function send(
  url: URL,
  addresses: readonly string[],
  { guard, signal }: GuardedGetOptions,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const shared = {
    agent: false,
    // The size of compressed content would be known too late.
    headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity' },
    lookup: pinned(addresses),
    signal,
  } as const;
  const request =
    url.protocol === 'http:'
      ? httpRequest(url, shared)
      : httpsRequest(url, { ...shared, rejectUnauthorized: true });
  request.once('response', resolve);
  request.once('upgrade', (_, socket) => {
    socket.destroy();
    reject(new OutboundError('answer_invalid', 'the answer is another protocol'));
  });
  request.once('socket', (socket) => verifyPeer(socket, guard));
  request.on('error', reject);
  request.end();
  return promise;
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
