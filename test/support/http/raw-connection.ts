import { connect, type Socket } from 'node:net';

const DEADLINE_MS = 20_000;

/** A connection that sends what the test writes. It reads unless the test pauses its socket. */
export class RawConnection {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  #text = '';

  /** `server`: a URL, or the path of a Unix socket. */
  constructor(server: string) {
    this.socket = connect(server.startsWith('/') ? { path: server } : addressOf(server));
    this.socket.on('data', (piece: Buffer) => (this.#text += piece.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  /** Returns everything received so far, as Latin-1. */
  readonly received = (): string => this.#text;

  /** Returns the statuses of the responses received so far. */
  readonly statuses = (): number[] =>
    Array.from(this.#text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port || 80) };
}

/** Returns the head of a request. */
export function requestHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Sends raw bytes to the server and returns the first response, or status 0 if there is none. For requests that no HTTP
 * client would send. Closes the sending side only once a response arrives: Node sends none after that.
 */
export async function sendRaw(url: string, bytes: string) {
  const { socket, closed, received, statuses } = new RawConnection(url);
  socket.setTimeout(DEADLINE_MS, () => socket.destroy()).once('data', () => socket.end());
  socket.write(bytes);
  await closed;
  const [head = '', ...rest] = received().split('\r\n\r\n');
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString();
  return { status: statuses()[0] ?? 0, head, body };
}
