import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** TCP proxy that can reset or stall connections to a server. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #state: 'open' | 'cut' | 'silent' = 'open';

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((client) => {
      if (this.#state === 'cut') {
        client.resetAndDestroy();
        return;
      }
      const upstream = connect(target.port, target.host);
      this.#join(client, upstream);
      this.#join(upstream, client);
      if (this.#state === 'silent') this.#pauseAll();
    });
  }

  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy({ host: hostname, port: Number(port) });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Returns the URL through the proxy. */
  via(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String((this.#server.address() as AddressInfo).port);
    return changed.toString().replace(/\/$/, '');
  }

  /** Resets all existing and new connections. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Keeps connections and accepts new ones but forwards nothing, like a network that drops packets. */
  silence(): void {
    this.#state = 'silent';
    this.#pauseAll();
  }

  restore(): void {
    this.#state = 'open';
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (piece) => to.write(piece));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }

  #pauseAll(): void {
    for (const socket of this.#sockets) socket.pause();
  }
}
