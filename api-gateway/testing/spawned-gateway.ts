import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '@trifold/test-support/eventually.ts';
import { OwnedProcess } from '@trifold/test-support/processes/owned-process.ts';

const PROGRAM = fileURLToPath(new URL('gateway-process.ts', import.meta.url));

/** A gateway in a separate process (`gateway-process.ts`), whose memory a test measures. */
export class SpawnedGateway extends OwnedProcess {
  key = '';
  #port = 0;
  readonly #sockets: Socket[] = [];

  static async start(): Promise<SpawnedGateway> {
    const gateway = new SpawnedGateway('the gateway', process.execPath, [PROGRAM]);
    const giveUp = () => gateway.failure;
    const { port, key } = await eventually(
      () => JSON.parse(gateway.stdout) as { port: number; key: string },
      { timeoutMs: 60_000, giveUp },
    );
    gateway.key = key;
    gateway.#port = port;
    return gateway;
  }

  /** Opens a connection. */
  connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1').on('error', () => undefined);
    this.#sockets.push(socket);
    return socket;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  override async kill(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await super.kill();
  }
}
