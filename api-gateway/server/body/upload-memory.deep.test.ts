import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@trifold/platform/service/clock.ts';

const MiB = 1024 * 1024;
/** Bytes of buffers that Node has read and not yet garbage-collected. */
const GARBAGE = 112 * MiB;
const KEY_BUDGET = 64 * MiB;

let child: ChildProcess;
let port: number;
let key: string;
const sockets: Socket[] = [];

beforeEach(async () => {
  const script = new URL('../../testing/gateway-process.ts', import.meta.url).pathname;
  child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await systemClock.withTimeout(() => once(lines, 'line'), 60_000)) as [string];
  ({ port, key } = JSON.parse(line) as { port: number; key: string });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
});

/** Resident bytes of the gateway. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Sends a batch request that never ends; resolves when all of its bytes are written. */
async function upload(header: string, body: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.resume();
  const head = `POST /v1/generate/batch HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n${header}\r\n\r\n`;
  socket.write(head);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(body, () => resolve());
  });
}

describe.skipIf(process.platform !== 'linux')('Unfinished uploads', () => {
  it('use about the key budget of memory for 24 uploads of 16 MiB with one key', async () => {
    const before = await memory();
    const body = Buffer.alloc(16 * MiB - 1, ' ');
    const uploads = Array.from({ length: 24 }, async () => upload(`content-length: ${16 * MiB}`, body));
    await systemClock.withTimeout(() => Promise.all(uploads), 60_000);
    expect((await memory()) - before).toBeLessThan(KEY_BUDGET + GARBAGE);
  });

  it('use no memory per piece when they arrive in pieces of one byte', async () => {
    const before = await memory();
    const body = Buffer.from('1\r\n \r\n'.repeat(MiB));
    await systemClock.withTimeout(() => upload('transfer-encoding: chunked', body), 60_000);
    expect((await memory()) - before).toBeLessThan(GARBAGE);
  });
});
