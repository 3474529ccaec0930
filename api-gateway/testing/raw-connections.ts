import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RawConnection, requestHead } from '@trifold/test-support/http/raw-connection.ts';
import type { GatewayFixture } from './gateway-fixture.ts';

/** Opens connections to a listening gateway. */
export class RawConnections {
  readonly #gateway: GatewayFixture;
  readonly #connections: RawConnection[] = [];

  private constructor(gateway: GatewayFixture) {
    this.#gateway = gateway;
  }

  /**
   * Makes the gateway listen on a Unix socket: its kernel buffers have a fixed size, while a TCP socket's buffers
   * can grow to many megabytes that no client reads.
   */
  static async listen(gateway: GatewayFixture): Promise<RawConnections> {
    await gateway.gateway.app.listen({ path: join(tmpdir(), `gateway-${randomUUID()}.sock`) });
    return new RawConnections(gateway);
  }

  /** Makes the gateway listen on a TCP socket, which clients can reset. */
  static async listenOnPort(gateway: GatewayFixture): Promise<RawConnections> {
    await gateway.gateway.app.listen({ host: '127.0.0.1', port: 0 });
    return new RawConnections(gateway);
  }

  open(): RawConnection {
    const address = this.#gateway.gateway.app.server.address();
    const server = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : address;
    const connection = new RawConnection(server);
    this.#connections.push(connection);
    return connection;
  }

  /** Sends GET requests on one connection without waiting for or reading responses. */
  getUnread(paths: readonly string[], key = this.#gateway.key): RawConnection {
    const connection = this.open();
    connection.socket.pause();
    connection.socket.write(paths.map((path) => head('GET', path, key)).join(''));
    return connection;
  }

  /** Sends the headers of a POST request with a JSON body. */
  post(path: string, headers: RawHeaders, key = this.#gateway.key): RawConnection {
    const connection = this.open();
    connection.socket.write(head('POST', path, key, { 'content-type': 'application/json', ...headers }));
    return connection;
  }

  close(): void {
    for (const { socket } of this.#connections.splice(0)) socket.destroy();
  }
}

/** Returns the head of a request; an empty key adds no Authorization header. */
type RawHeaders = Readonly<Record<string, string | number>>;

function head(method: string, path: string, key: string, more: RawHeaders = {}) {
  const authorization = key === '' ? {} : { authorization: `Bearer ${key}` };
  return requestHead(method, path, { host: 'localhost', ...authorization, ...more });
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
