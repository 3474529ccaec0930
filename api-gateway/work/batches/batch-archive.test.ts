import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchItemKey } from '@trifold/crds';
import { ObjectStoreError, type StoredObject } from '@trifold/platform/object-store/port.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';

const LARGE = Buffer.alloc(8 * 1024 * 1024, 'pdf ');

let gateway: GatewayFixture;
let id: string;
let url: string;
/** Objects read from the store, in order. */
let opened: Readable[];
/** Replacements for items. */
let replace: Map<number, (object: StoredObject) => StoredObject | undefined>;

beforeEach(async () => {
  gateway = await GatewayFixture.forTest();
  const items = Array.from({ length: 5 }, () => ({ data: {} }));
  const body = { template_id: await gateway.template(), format: 'pdf', items };
  id = (await gateway.call('POST', '/v1/generate/batch', { body })).json<{ id: string }>().id;
  const batches = new ScriptedBatches(gateway);
  await batches.finish(id, new Map(Array.from({ length: 5 }, (_, index) => [index, LARGE])));
  const { prefix } = (await batches.get(id)).spec.itemsRef;
  opened = [];
  replace = new Map();
  const found = gateway.store.get.bind(gateway.store);
  vi.spyOn(gateway.store, 'get').mockImplementation(async (key) => {
    const object = await found(key);
    const index = [0, 1, 2, 3, 4].find((candidate) => batchItemKey(prefix, candidate) === key) ?? -1;
    const answer = object && (replace.get(index)?.(object) ?? object);
    if (answer) opened.push(answer.body);
    return answer;
  });
  await gateway.gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = gateway.gateway.app.server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/v1/generate/batch/${id}/download`;
});
afterEach(() => vi.restoreAllMocks());

async function download(): Promise<IncomingMessage> {
  const request = get(url, { agent: false, headers: { authorization: `Bearer ${gateway.key}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Returns part of the file and then fails, or ends early without an error. */
function broken(how: 'fails' | 'ends') {
  return ({ info, body }: StoredObject): StoredObject => {
    body.destroy();
    const pieces = (function* () {
      yield LARGE.subarray(0, 1_000_000);
      if (how === 'fails') throw new ObjectStoreError('unavailable', 'the store went away');
    })();
    return { info, body: Readable.from(pieces) };
  };
}

describe("A batch's zip download over a connection", () => {
  it.each(['fails', 'ends'] as const)('aborts the response if a file %s in the middle', async (how) => {
    replace.set(2, broken(how));
    const response = await download();
    expect(response.statusCode).toBe(200);
    await expect(buffer(response)).rejects.toThrow('aborted');
    expect((await gateway.call('GET', '/healthz')).statusCode).toBe(200);
  });

  it('aborts the response if a file is missing', async () => {
    await gateway.store.delete(`${(await new ScriptedBatches(gateway).get(id)).spec.itemsRef.prefix}3`);
    await expect(buffer(await download())).rejects.toThrow('aborted');
  });

  it("reads from the store at the client's pace and stops when the client disconnects", async () => {
    const response = await download();
    await once(response, 'readable');
    response.read(1000);
    await eventually(() => opened.length > 0);
    for (let turns = 0; turns < 200; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    // Only as much of the forty megabytes is read as fits into the buffers.
    expect(opened.length).toBeLessThan(5);
    response.destroy();
    await eventually(() => opened.every((body) => body.destroyed));
    expect(opened.length).toBeLessThan(5);
  });
});
