import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on every address of this machine, for TCP and UDP on the same port, and records all traffic. */
export class LoopbackListener {
  readonly port: number;
  /** Received connections, requests and datagrams. */
  readonly seen: string[] = [];
  readonly #server: Server;
  readonly #datagrams: UdpSocket;

  private constructor(server: Server, datagrams: UdpSocket) {
    this.#server = server;
    this.#datagrams = datagrams;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', ({ remoteAddress }) => this.seen.push(`a connection from ${remoteAddress}`));
    server.on('request', (request, response) => {
      this.seen.push(`a request for ${request.url}`);
      response.end('from the network');
    });
    datagrams.on('message', (_, { address }) => this.seen.push(`a datagram from ${address}`));
  }

  static async start(): Promise<LoopbackListener> {
    for (;;) {
      const server = createServer();
      // `::` also accepts IPv4.
      server.listen(0, '::');
      await once(server, 'listening');
      const datagrams = await datagramsOn((server.address() as AddressInfo).port);
      if (datagrams) return new LoopbackListener(server, datagrams);
      server.close();
    }
  }

  async stop(): Promise<void> {
    this.#datagrams.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Undefined when another process uses the UDP port. */
async function datagramsOn(port: number): Promise<UdpSocket | undefined> {
  const datagrams = createSocket({ type: 'udp6' });
  datagrams.bind(port);
  try {
    await once(datagrams, 'listening');
    return datagrams;
  } catch (error) {
    datagrams.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
