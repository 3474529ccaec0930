import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ApiRequest, ApiTransport } from '../client/transport.ts';

/** Serves an ApiTransport over HTTP on the loopback interface, for tests that need real sockets. */
export class ModelServer {
  readonly #server: Server;
  readonly sockets = new Set<Socket>();
  /** Number of connections ever opened. */
  connections = 0;

  constructor(api: ApiTransport) {
    this.#server = createServer((incoming, outgoing) => void serve(api, incoming, outgoing));
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      socket.on('error', () => {});
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes every connection with a TCP reset. */
  resetAll(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function serve(api: ApiTransport, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const aborting = new AbortController();
  outgoing.once('close', () => aborting.abort(new Error('the client has gone')));
  try {
    const answer = await api.send(await requestOf(incoming, aborting.signal));
    outgoing.writeHead(answer.status, { ...answer.headers });
    outgoing.flushHeaders();
    for await (const piece of answer.body) outgoing.write(piece);
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

async function requestOf(incoming: IncomingMessage, signal: AbortSignal): Promise<ApiRequest> {
  const url = new URL(incoming.url ?? '/', 'http://model');
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece as Uint8Array);
  return {
    method: incoming.method as ApiRequest['method'],
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: Buffer.concat(pieces).toString(),
    signal,
  };
}
