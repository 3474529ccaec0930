import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { TrifoldClient, type ClientOptions } from '../index.ts';

/** A well-formed key that is valid nowhere. */
export const KEY = `tf_live_${'Ab1'.repeat(14)}Z`;

/** A received request. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to one request. */
export type Reply = (response: ServerResponse) => void;

/** Responds with JSON, as the service does. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Responds with a service error. */
export function errorReply(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const message = `It is ${code}.`;
  return json(status, { statusCode: status, error: 'Error', message, code, request_id: 'req-1' }, headers);
}

/** Breaks the connection. */
export const reset: Reply = (response) => response.socket?.destroy();

/** Never responds. */
export const silence: Reply = () => undefined;

/**
 * Responds with the replies in order and repeats the last one; for faults that a real service cannot produce on demand.
 */
export async function scriptedServer(
  replies: readonly Reply[],
  options: Partial<ClientOptions> = {},
): Promise<{ client: TrifoldClient; received: Received[]; url: string }> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const reply = replies[Math.min(received.length, replies.length - 1)];
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body });
      reply?.(response);
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: new TrifoldClient({ baseUrl: url, apiKey: KEY, ...options }), received, url };
}
