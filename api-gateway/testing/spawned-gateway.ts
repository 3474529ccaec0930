import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { systemClock } from '@trifold/platform/service/clock.ts';

/** A gateway in a separate process (`gateway-process.ts`), whose memory a test measures. Linux. */
export class SpawnedGateway {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly key: string;
  readonly #sockets: Socket[] = [];

  private constructor(child: ChildProcess, { port, key }: { readonly port: number; readonly key: string }) {
    this.#child = child;
    this.#port = port;
    this.key = key;
  }

  static async start(): Promise<SpawnedGateway> {
    const script = new URL('gateway-process.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const [line] = (await systemClock.withTimeout(() => once(lines, 'line'), 60_000)) as [string];
    return new SpawnedGateway(child, JSON.parse(line) as { port: number; key: string });
  }

  /** Resident bytes. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
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

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
