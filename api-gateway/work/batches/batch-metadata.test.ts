import { parse } from 'content-disposition';
import { describe, expect, it } from 'vitest';
import { readZip } from '@trifold/test-support/files/zip.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { FAILURE, fileOf, ScriptedBatches } from '../../testing/scripted-batches.ts';

const METADATA = { run: '2026-11' };
const ITEMS = [
  { data: {}, filename: 'Größe.pdf', metadata: { order: 'A-17' } },
  { data: {} },
  { data: {}, filename: 'GRÖSSE', metadata: {} },
  { data: {}, filename: 'größe' },
];

const clock = new FakeClock();
const gateway = await GatewayFixture.shared({ clock });
const batches = new ScriptedBatches(gateway, await gateway.template());

const itemsOf = async (id: string) =>
  (await batches.read(id)).json<{ items: { metadata?: object }[] }>().items.map(({ metadata }) => metadata);

describe('The metadata of a batch and its items', () => {
  it('is in the response, the resource and every status, before and after the resource is deleted', async () => {
    const response = await batches.send({ items: ITEMS, metadata: METADATA });
    expect(response.json()).toMatchObject({ status: 'pending', metadata: METADATA });
    const { id } = response.json<{ id: string }>();
    expect((await batches.get(id)).spec).toMatchObject({
      clientMetadata: METADATA,
      items: [
        { index: 0, filename: 'Größe.pdf', clientMetadata: { order: 'A-17' } },
        { index: 2, filename: 'GRÖSSE.pdf', clientMetadata: {} },
        { index: 3, filename: 'größe.pdf' },
      ],
    });
    expect(await itemsOf(id)).toEqual([{ order: 'A-17' }, undefined, {}, undefined]);
    await batches.finish(id, new Map([[0, FAILURE]]));
    const before = (await batches.read(id)).json();
    expect(before).toMatchObject({
      metadata: METADATA,
      items: [{ metadata: { order: 'A-17' } }, {}, {}, {}],
    });
    await batches.remove(id);
    expect((await batches.read(id)).json()).toEqual(before);
  });

  it('is shown for each item if the whole batch was rejected', async () => {
    const id = await batches.accepted({ items: ITEMS });
    await batches.reject(id);
    expect(await itemsOf(id)).toEqual([{ order: 'A-17' }, undefined, {}, undefined]);
  });

  it('accepts the largest metadata for each of 100 items', async () => {
    const metadata = { a: 'x'.repeat(1016) };
    const items = Array.from({ length: 100 }, () => ({ data: {}, metadata, filename: 'n'.repeat(255) }));
    const id = await batches.accepted({ items, metadata });
    expect(await itemsOf(id)).toEqual(items.map(() => metadata));
  });
});

it('File names of batch items are the download names, with numbers in the zip if they clash', async () => {
  const id = await batches.accepted({ items: ITEMS });
  await batches.finish(id);
  for (const removed of [false, true]) {
    if (removed) await batches.remove(id);
    const names = [];
    for (const index of ITEMS.keys()) {
      const { headers } = await batches.item(id, index);
      names.push(parse(String(headers['content-disposition'])).parameters['filename']);
    }
    expect(names).toEqual(['Größe.pdf', `${id}-1.pdf`, 'GRÖSSE.pdf', 'größe.pdf']);
    const files = readZip((await batches.zip(id)).rawPayload);
    const inZip = files.map(({ name }) => name);
    expect(inZip).toEqual(['Größe.pdf', `${id}-1.pdf`, 'GRÖSSE.pdf', 'größe (2).pdf']);
    expect(files.map(({ bytes }) => bytes)).toEqual(ITEMS.map((_, index) => fileOf(index)));
  }
});
