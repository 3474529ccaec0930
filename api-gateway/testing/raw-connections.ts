import { connect, type AddressInfo, type Socket } from 'node:net';
import type { GatewayFixture } from './gateway-fixture.ts';

/** A connection that sends what the test writes. It reads unless the test pauses its socket. */
export interface RawConnection {
  readonly socket: Socket;
  /** Returns everything received so far, as Latin-1. */
  readonly received: () => string;
  /** Returns the statuses of the responses received so far. */
  readonly statuses: () => number[];
  readonly closed: Promise<void>;
}

/** Opens connections to a gateway that listens. */
export class RawConnections {
  readonly #gateway: GatewayFixture;
  readonly #sockets: Socket[] = [];

  private constructor(gateway: GatewayFixture) {
    this.#gateway = gateway;
  }

  /** Makes the gateway listen. */
  static async listen(gateway: GatewayFixture): Promise<RawConnections> {
    await gateway.gateway.app.listen({ host: '127.0.0.1', port: 0 });
    return new RawConnections(gateway);
  }

  open(): RawConnection {
    const { port } = this.#gateway.gateway.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    this.#sockets.push(socket);
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const statuses = () => Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
    return { socket, received: () => text, statuses, closed };
  }

  /** Sends GET requests on one connection without waiting for responses, and reads nothing. */
  getUnread(paths: readonly string[], key = this.#gateway.key): RawConnection {
    const connection = this.open();
    connection.socket.pause();
    connection.socket.write(paths.map((path) => head('GET', path, key)).join(''));
    return connection;
  }

  /** Sends the head of a POST request with a body of JSON. */
  post(
    path: string,
    headers: Readonly<Record<string, string | number>>,
    key = this.#gateway.key,
  ): RawConnection {
    const connection = this.open();
    connection.socket.write(head('POST', path, key, { 'content-type': 'application/json', ...headers }));
    return connection;
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }
}

/** Returns the head of a request; an empty key sends none. */
function head(
  method: string,
  path: string,
  key: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const all = { host: 'localhost', ...(key !== '' && { authorization: `Bearer ${key}` }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns a body with Transfer-Encoding: chunked, all chunks of the same size. */
export function chunksOf(text: string, bytes: number): Buffer {
  const body = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let start = 0; start < body.length; start += bytes) {
    const chunk = body.subarray(start, start + bytes);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
