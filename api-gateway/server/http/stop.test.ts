import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { systemClock } from '@trifold/platform/service/clock.ts';

/** A gateway in its own process, which a test can suspend while connections queue up in the kernel. */
class GatewayProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<unknown>;
  port = 0;
  key = '';
  /** Number of connections that the kernel has completed. */
  connected = 0;

  constructor() {
    const script = new URL('../../testing/gateway-process.ts', import.meta.url).pathname;
    this.#child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = once(this.#child, 'exit');
  }

  async ready(): Promise<void> {
    const [line] = (await systemClock.withTimeout(
      () => once(createInterface({ input: this.#child.stdout! }), 'line'),
      60_000,
    )) as [string];
    Object.assign(this, JSON.parse(line));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /**
   * Sends a request on its own connection; resolves with the answer when the connection ends, or with the error code.
   */
  async send(method: string, path: string, body = ''): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket: Socket = connect(this.port, '127.0.0.1');
    let text = '';
    socket.on('data', (piece) => (text += piece.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} after ${text.length} bytes`));
    socket.on('close', () => resolve(text));
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${this.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    socket.once('connect', () => (this.connected += 1));
    return promise;
  }
}

let gateway: GatewayProcess;
afterEach(async () => {
  gateway.signal('SIGKILL');
  await gateway.ended;
});

const statusOf = (answer: string) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? answer;

describe('A gateway process that receives SIGTERM', () => {
  it('answers every request whose connection still waits to be accepted', async () => {
    gateway = new GatewayProcess();
    await gateway.ready();
    gateway.signal('SIGSTOP');
    const sent = Array.from({ length: 40 }, async () =>
      gateway.send('POST', '/v1/templates', JSON.stringify({ name: 'Late', html: 'x' })),
    );
    await eventually(() => gateway.connected === sent.length);
    gateway.signal('SIGTERM');
    gateway.signal('SIGCONT');
    const answers = await systemClock.withTimeout(() => Promise.all(sent), 20_000);
    expect(answers.map(statusOf).filter((status) => status !== '503' && status !== '201')).toEqual([]);
    const refused = answers.filter((answer) => statusOf(answer) === '503');
    for (const answer of refused) expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    await systemClock.withTimeout(() => gateway.ended, 10_000);
  });
});
