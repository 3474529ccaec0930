import { connect, type Socket } from 'node:net';
import type { Api } from '../support/api.ts';

/** A request that is sent as bytes. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Content-Length, for a body of which only the beginning is sent. @default the length of `body` */
  readonly announcedBytes?: number;
}

/** A connection whose client reads only the beginning of the response. */
export class UnreadConnection {
  readonly #socket: Socket;
  #head = '';
  #isClosed = false;

  constructor({ url, key }: Api, request: RawRequest) {
    const { hostname, port, host } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.#socket.on('error', () => undefined);
    this.#socket.once('close', () => (this.#isClosed = true));
    this.#socket.once('data', (piece: Buffer) => {
      this.#head = piece.toString('latin1');
      this.#socket.pause();
    });
    const { method, path, body = '', announcedBytes = Buffer.byteLength(body) } = request;
    const headers = {
      Host: host,
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': String(announcedBytes),
      ...request.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    this.#socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`);
  }

  /** Status and code of the response, such as `429 too_many_previews`, or `closed`; undefined while it is awaited. */
  get outcome(): string | undefined {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(this.#head)?.[1];
    if (status === undefined) return this.#isClosed ? 'closed' : undefined;
    const code = /"code":"(\w+)"/.exec(this.#head)?.[1];
    return code === undefined ? status : `${status} ${code}`;
  }

  close(): void {
    this.#socket.destroy();
  }
}
