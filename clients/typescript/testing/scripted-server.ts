import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { TrifoldClient, type ClientOptions } from '../index.ts';

/** A key in the form of the interface that no service knows. */
export const KEY = `tf_live_${'Ab1'.repeat(14)}Z`;

/** A request as it came. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How one request is answered. */
export type Reply = (response: ServerResponse) => void;

/** JSON, as the service sends it. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** An error of the service. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const message = `It is ${code}.`;
  return json(status, { statusCode: status, error: 'Error', message, code, request_id: 'req-1' }, headers);
}

/** The connection breaks. */
export const reset: Reply = (response) => response.socket?.destroy();

/** Nothing comes, ever. */
export const silence: Reply = () => undefined;

/** Answers requests in the order of the replies, the last one again and again; for faults that no service shows at will. */
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
