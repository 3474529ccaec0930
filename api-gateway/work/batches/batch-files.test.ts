import { parse } from 'content-disposition';
import { describe, expect, it } from 'vitest';
import { BATCH, documentKeyOfId, type Batch } from '@trifold/crds';
import { readZip } from '@trifold/test-support/files/zip.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { FAILURE, fileOf, ScriptedBatches } from '../../testing/scripted-batches.ts';

const clock = new FakeClock();
const gateway = await GatewayFixture.shared({ clock });
const batches = new ScriptedBatches(gateway, await gateway.template());

describe('GET /v1/generate/batch/:id/items/:index/download', () => {
  it('returns the bytes, their length and ETag, and a file name that sorts by item', async () => {
    const items = Array.from({ length: 11 }, () => ({ data: {} }));
    const id = await batches.accepted({ items });
    await batches.finish(id);
    const response = await batches.item(id, 3);
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload).toEqual(fileOf(3));
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(fileOf(3).length),
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'cache-control': 'private, no-cache',
    });
    const disposition = parse(String(response.headers['content-disposition']));
    expect(disposition).toMatchObject({ type: 'attachment', parameters: { filename: `${id}-03.pdf` } });
  });

  it('returns the file as soon as the item is complete, and 409 before that or after a failure', async () => {
    const id = await batches.accepted();
    await batches.progress(
      id,
      new Map<number, Buffer | typeof FAILURE>([
        [0, fileOf(0)],
        [1, FAILURE],
      ]),
    );
    expect((await batches.item(id, 0)).rawPayload).toEqual(fileOf(0));
    expect((await batches.item(id, 1)).json()).toMatchObject({
      statusCode: 409,
      code: 'generation_failed',
      message: expect.stringContaining(FAILURE.message),
    });
    expect((await batches.item(id, 2)).json()).toMatchObject({
      statusCode: 409,
      code: 'not_ready',
      message: expect.stringContaining(`/v1/generate/batch/${id}`),
    });
  });

  it.each(['3', '100', '-1', '00', '1.0', 'one', '%00', '99999999999999999999'])(
    'returns 404 for index %s of three items',
    async (index) => {
      const id = await batches.accepted();
      await batches.finish(id);
      const missing = { statusCode: 404, code: 'document_not_found' };
      expect((await batches.item(id, index)).json()).toMatchObject(missing);
    },
  );

  it('allows only the key that created the batch to download items and the zip', async () => {
    const id = await batches.accepted();
    await batches.finish(id);
    const sibling = await gateway.mint({}, true);
    for (const remove of [false, true]) {
      if (remove) await batches.remove(id);
      for (const response of [await batches.item(id, 0, sibling), await batches.zip(id, sibling)]) {
        expect(response.json()).toMatchObject({ statusCode: 403, code: 'different_key' });
      }
    }
  });

  it('looks files up by batch name, not by the resource spec', async () => {
    const id = await batches.accepted();
    await batches.finish(id);
    const thief = await gateway.kubernetes.resource(BATCH).create({
      metadata: { name: 'thief', namespace: 'other' },
      spec: { ...(await batches.get(id)).spec, keyId: undefined } as unknown as Batch['spec'],
    });
    const { namespace = '', name } = thief.metadata;
    const status = {
      phase: 'Completed' as const,
      completed: 1,
      items: [{ index: 0, phase: 'Completed' as const, size: 1 }],
    };
    await gateway.kubernetes.resource(BATCH).patchStatus({ namespace, name }, { status });
    for (const response of [
      await batches.item('thief', 0, gateway.otherKey),
      await batches.zip('thief', gateway.otherKey),
    ]) {
      expect(response.statusCode).toBe(410);
    }
  });
});

describe('GET /v1/generate/batch/:id/download', () => {
  it('contains every completed file under its name, with the batch time', async () => {
    const id = await batches.accepted();
    await batches.finish(id, new Map([[1, FAILURE]]));
    const response = await batches.zip(id);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(response.rawPayload.length),
      'content-disposition': `attachment; filename=${id}.zip`,
    });
    const modified = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
    expect(readZip(response.rawPayload)).toEqual([
      { name: `${id}-0.pdf`, bytes: fileOf(0), stored: true, modified },
      { name: `${id}-2.pdf`, bytes: fileOf(2), stored: true, modified },
    ]);
    const head = await gateway.call('HEAD', `/v1/generate/batch/${id}/download`);
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(response.headers['content-length']);
  });

  it('returns 409 until the batch is finished, even if some files exist', async () => {
    const id = await batches.accepted();
    expect((await batches.zip(id)).json()).toMatchObject({ statusCode: 409, code: 'not_ready' });
    await batches.progress(id, new Map([[0, fileOf(0)]]));
    expect((await batches.zip(id)).json()).toMatchObject({ statusCode: 409, code: 'not_ready' });
  });

  it('returns 422 with the reason if every item failed', async () => {
    const id = await batches.accepted();
    await batches.finish(id, new Map([0, 1, 2].map((index) => [index, FAILURE])));
    expect((await batches.zip(id)).json()).toMatchObject({
      statusCode: 422,
      code: 'generation_failed',
      message: expect.stringContaining(FAILURE.message),
    });
  });

  it('returns 410 if the files have already been deleted', async () => {
    const id = await batches.accepted();
    await batches.finish(id);
    await gateway.store.deletePrefix(`${documentKeyOfId('acme', id)}/`);
    expect((await batches.zip(id)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
    expect((await batches.item(id, 0)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
  });
});
