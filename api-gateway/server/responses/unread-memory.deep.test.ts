import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { SpawnedGateway } from '../../testing/spawned-gateway.ts';

const MiB = 1024 * 1024;
/** Memory for responses that were created and dropped. Node collects it only when it needs the memory. */
const GARBAGE = 256 * MiB;

let gateway: SpawnedGateway;
beforeEach(async () => {
  gateway = await SpawnedGateway.start();
});
afterEach(async () => gateway.kill());

const headers = () => ({ authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' });

/** Sends requests on one connection without reading anything. */
function unread(requests: string): void {
  const socket = gateway.connect();
  socket.pause();
  socket.write(requests);
}

async function unsentBytes(): Promise<number> {
  const metrics = await (await fetch(gateway.url('/metrics'))).text();
  return Number(/^trifold_gateway_unsent_response_bytes (\d+)$/m.exec(metrics)?.[1]);
}

/** Resolves with the gateway's memory growth once the gateway has created all responses. */
async function growthSince(before: number): Promise<number> {
  let [last, peak] = [-1, 0];
  await eventually(
    async () => {
      const bytes = await unsentBytes();
      peak = Math.max(peak, bytes);
      // The kernel may eventually accept all of them.
      const isSettled = bytes === last && peak > 0;
      last = bytes;
      return isSettled;
    },
    { intervalMs: 1_000, timeoutMs: 60_000 },
  );
  return (await gateway.memory()) - before;
}

describe.skipIf(process.platform !== 'linux')('Unread responses', () => {
  it('stay near the memory budget with 1,200 pipelined reads of a 1 MiB template', async () => {
    const body = JSON.stringify({ name: 'Large', html: 'x'.repeat(MiB) });
    const created = await fetch(gateway.url('/v1/templates'), { method: 'POST', headers: headers(), body });
    const { id } = (await created.json()) as { id: string };
    const before = await gateway.memory();
    const read = `GET /v1/templates/${id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\n\r\n`;
    for (let count = 0; count < 300; count += 1) unread(read.repeat(4));
    expect(await growthSince(before)).toBeLessThan(BOUNDS.responses.limit.value + GARBAGE);
  });

  it('stay near the memory budget with 12 previews of 26 MB', async () => {
    const body = JSON.stringify({ html: 'x', data: {}, format: 'png' });
    const before = await gateway.memory();
    const lines = Object.entries(headers()).map(([name, value]) => `${name}: ${value}`);
    const head = `POST /v1/templates/preview HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n`;
    for (let count = 0; count < 12; count += 1)
      unread(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    expect(await growthSince(before)).toBeLessThan(BOUNDS.responses.limit.value + GARBAGE);
  });

  it('stay near the memory budget with pipelined requests without a key', async () => {
    const before = await gateway.memory();
    const small = 'GET /x HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(30);
    for (let count = 0; count < 200; count += 1) {
      unread(`GET /docs/api/js/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n${small}`);
    }
    expect(await growthSince(before)).toBeLessThan(BOUNDS.responsesWithoutKey.total.value + GARBAGE);
  });
});
