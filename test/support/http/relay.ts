import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** An address on this machine that leads to a service elsewhere. */
export interface Relay {
  /** Has no path. */
  readonly url: string;
  close(): void;
}

/** Starts a relay: people sign in over plain http on this machine and nowhere else. */
export async function startRelay(url: string): Promise<Relay> {
  const { hostname, port } = new URL(url);
  const server = createServer((socket) => {
    const service = connect(Number(port), hostname);
    pipeline(socket, service, socket).catch(() => service.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
