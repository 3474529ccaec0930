import { describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { FAILURE, fileOf, ScriptedBatches } from '../../testing/scripted-batches.ts';

const gateway = await GatewayFixture.shared();
const batches = new ScriptedBatches(gateway, await gateway.template());
const { template_id } = batches;

describe('GET /v1/generate/batch/:id', () => {
  it("follows the resource's status item by item", async () => {
    const id = await batches.accepted();
    expect((await batches.read(id)).json()).toMatchObject({
      status: 'pending',
      items: [0, 1, 2].map((index) => ({ index, status: 'pending' })),
    });
    await batches.progress(
      id,
      new Map<number, Buffer | typeof FAILURE>([
        [2, fileOf(2)],
        [0, FAILURE],
      ]),
    );
    expect((await batches.read(id)).json()).toMatchObject({ status: 'processing', completed: 1, failed: 1 });
    const file_url = `/v1/generate/batch/${id}/items/2/download`;
    expect((await batches.read(id)).json().items).toEqual([
      { index: 0, status: 'failed', error: FAILURE },
      { index: 1, status: 'pending' },
      { index: 2, status: 'completed', file_url, file_size: fileOf(2).length },
    ]);
  });

  it('returns the same status after the resource is deleted', async () => {
    const ids = [await batches.accepted(), await batches.accepted(), await batches.accepted()] as const;
    const warning = { code: 'binding_missing', message: 'The data lacks it.', name: 'total' } as const;
    for (const index of [1, 2]) batches.warnings.set(index, [warning]);
    await batches.finish(ids[0], new Map([[1, FAILURE]]));
    batches.warnings.clear();
    const { items } = (await batches.read(ids[0])).json();
    expect(items[1]).toMatchObject({ status: 'failed', warnings: [warning] });
    expect(items[2]).toMatchObject({ status: 'completed', warnings: [warning] });
    expect(items[0]).not.toHaveProperty('warnings');
    await batches.finish(ids[1], new Map([0, 1, 2].map((index) => [index, FAILURE])));
    await batches.reject(ids[2]);
    for (const id of ids) {
      const before = (await batches.read(id)).json();
      await batches.remove(id);
      expect((await batches.read(id)).json()).toEqual(before);
    }
    expect((await batches.item(ids[0], 2)).rawPayload).toEqual(fileOf(2));
    expect((await batches.zip(ids[0])).statusCode).toBe(200);
  });

  it('returns the error for each item if the whole batch was rejected', async () => {
    const id = await batches.accepted();
    await batches.reject(id);
    const batch = (await batches.read(id)).json();
    expect(batch).toMatchObject({ status: 'failed', error: FAILURE });
    expect(batch.items).toEqual([0, 1, 2].map((index) => ({ index, status: 'failed', error: FAILURE })));
  });

  it.each(['bat-nothing', 'gen-01jd0000000000000000000000', 'download', 'UPPER', '%00', '..%2f..%2fx'])(
    'returns 404 for the unknown ID %s',
    async (id) => {
      for (const response of [await batches.read(id), await batches.item(id, 0), await batches.zip(id)]) {
        expect(response.json().code).toBe('batch_not_found');
      }
    },
  );

  it('does not return documents, and the document route does not return batches', async () => {
    const { metadata } = await gateway.job({ template_id });
    expect((await batches.read(metadata.name)).json().code).toBe('batch_not_found');
    const batch = await batches.accepted();
    await batches.finish(batch);
    for (const remove of [false, true]) {
      if (remove) await batches.remove(batch);
      expect((await gateway.call('GET', `/v1/generate/${batch}`)).json().code).toBe('document_not_found');
    }
  });
});
