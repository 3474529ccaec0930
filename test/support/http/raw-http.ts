import { connect } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import { once } from 'node:events';

export interface RawAnswer {
  /** 0 if the server closed the connection without a response. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends raw bytes to the server, closes the sending side, and returns the first response. For requests that no HTTP
 * client would send.
 */
export async function sendRaw(url: string, bytes: string | Buffer, deadlineMs = 20_000): Promise<RawAnswer> {
  const { protocol, hostname: host, port } = new URL(url);
  const socket =
    protocol === 'https:'
      ? secureConnect({ host, port: Number(port || 443), servername: host })
      : connect({ host, port: Number(port || 80), allowHalfOpen: true });
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  const closed = Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => undefined);
  socket.on('error', () => undefined);
  socket.setTimeout(deadlineMs, () => socket.destroy());
  socket.end(bytes);
  await closed;
  socket.destroy();
  const text = Buffer.concat(pieces).toString('latin1');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString(),
  };
}
