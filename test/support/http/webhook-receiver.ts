import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createAuthority,
  createServerCertificate,
  type KeyPair,
} from '@trifold/embedded-apiserver/tls/certificates.ts';

/** The receiver's host name, which is in its certificate. */
export const RECEIVER_HOST = 'hooks.example.com';
const HOSTS = [RECEIVER_HOST, 'localhost'];

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Handles a request, with or without a response. The default responds with 200. */
export type ApiResponse = (request: Received, response: ServerResponse, socket: Socket) => void;

/** Local HTTPS server with a certificate from its own CA. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: ApiResponse = (_request, response) => void response.end('ok');
  /** PEM of the CA that signed the certificate. */
  readonly authority: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #open = 0;

  private constructor(server: Server, scheme: 'http' | 'https', authority: string) {
    this.#server = server;
    this.scheme = scheme;
    this.authority = authority;
    this.port = (server.address() as AddressInfo).port;
  }

  static async start(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const { plain = false, hosts = HOSTS, certifiedAt = new Date(), port = 0 } = options;
    const authority = options.authority ?? (await createAuthority(certifiedAt));
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      void receiver.#handle(request, response);
    const pair = await createServerCertificate(authority, hosts, certifiedAt);
    const server = plain
      ? createHttpServer(handle)
      : createServer({ cert: pair.certificate, key: pair.key }, handle);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const receiver = new WebhookReceiver(server, plain ? 'http' : 'https', authority.certificate);
    server.on('connection', (socket: Socket) => receiver.#track(socket));
    server.on('tlsClientError', () => undefined);
    return receiver;
  }

  /** `https://hooks.example.com:<port>/path`. */
  url(path = '/', host = RECEIVER_HOST): string {
    return `${this.scheme}://${host}:${this.port}${path}`;
  }

  get openConnections(): number {
    return this.#open;
  }

  /** Returns the requests to this path, in order. */
  at(path: string): Received[] {
    return this.received.filter((request) => request.path === path);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    this.#open += 1;
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#open -= 1;
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: await text(request) };
    this.received.push(received);
    this.answer(received, response, request.socket);
  }
}

export interface ReceiverOptions {
  /** Whether to use plain HTTP. */
  readonly plain?: boolean;
  /** Host names in the certificate. */
  readonly hosts?: readonly string[];
  /** Creation time of the certificate. */
  readonly certifiedAt?: Date;
  readonly authority?: KeyPair;
  readonly port?: number;
}
