import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { SpawnedGateway } from '../../testing/spawned-gateway.ts';

const MiB = 1024 * 1024;
/** Size of the buffers that Node has read but not yet garbage-collected. */
const GARBAGE = 112 * MiB;
const KEY_BUDGET = 64 * MiB;

let gateway: SpawnedGateway;
beforeEach(async () => {
  gateway = await SpawnedGateway.start();
});
afterEach(async () => gateway.kill());

/** Sends a batch request without ending it; resolves when all of its bytes are written. */
async function upload(header: string, body: Buffer): Promise<void> {
  const socket = gateway.connect();
  socket.resume();
  const head = `POST /v1/generate/batch HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\n${header}\r\n\r\n`;
  socket.write(head);
  await new Promise<void>((resolve) => {
    // The connection of a rejected upload is closed.
    socket.once('close', () => resolve());
    socket.write(body, () => resolve());
  });
}

describe.skipIf(process.platform !== 'linux')('Unfinished uploads', () => {
  it("stay near their key's memory budget with 24 uploads of 16 MiB", async () => {
    const before = await gateway.memory();
    const body = Buffer.alloc(16 * MiB - 1, ' ');
    const uploads = Array.from({ length: 24 }, async () => upload(`content-length: ${16 * MiB}`, body));
    await systemClock.withTimeout(() => Promise.all(uploads), 60_000);
    expect((await gateway.memory()) - before).toBeLessThan(KEY_BUDGET + GARBAGE);
  });

  it('do not use memory per chunk when they arrive in the smallest allowed chunks', async () => {
    const before = await gateway.memory();
    const body = Buffer.from(`40\r\n${' '.repeat(64)}\r\n`.repeat(MiB / 8));
    await systemClock.withTimeout(() => upload('transfer-encoding: chunked', body), 60_000);
    expect((await gateway.memory()) - before).toBeLessThan(GARBAGE);
  });
});
