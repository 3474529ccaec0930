import { Writable } from 'node:stream';
import { NotFoundError, TrifoldClient, ValidationError, type BatchWithItems } from '@trifold/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../support/files/pdf.ts';
import { live, url } from './service-under-test.ts';

const client = new TrifoldClient({ baseUrl: url, apiKey: String(live.key) });
const format = 'pdf';
const itemsFor = (names: readonly string[]) => names.map((name) => ({ data: { name } }));

let template: string;
beforeAll(async () => {
  const fields = [{ name: 'name', type: 'string' as const, required: true }];
  const html = '<p>Hello {{name}}</p>';
  template = (await client.templates.create({ name: 'Batch', html, schema: { fields } })).id;
});

describe('Batches through the client', () => {
  it('are submitted, report progress and return every file', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `person ${index}`);
    const request = { template_id: template, format, items: itemsFor(names) } as const;
    const accepted = await client.batches.create(request);
    expect(accepted).toMatchObject({ template_id: template, format, total: 12 });

    const seen: BatchWithItems[] = [];
    const end = await client.batches.wait(accepted.id, {
      onProgress: (batch) => void seen.push(batch),
      signal: AbortSignal.timeout(60_000),
    });
    expect(end).toMatchObject({ id: accepted.id, status: 'completed', completed: 12, failed: 0 });
    expect(seen.at(-1)).toEqual(end);
    const done = seen.map(({ completed, failed }) => completed + failed);
    expect(done).toEqual(done.toSorted((left, right) => left - right));
    expect(end.items.map(({ index, status }) => [index, status])).toEqual(
      names.map((_, index) => [index, 'completed']),
    );

    for (const index of [0, 11]) {
      const file = await client.batches.downloadItem(accepted.id, index);
      const bytes = await file.bytes();
      expect(await textOf(bytes)).toBe(`Hello ${names[index]}`);
      expect(end.items[index]).toMatchObject({ file_size: bytes.length });
    }

    let zipped = Buffer.alloc(0);
    const sink = new Writable({
      write(piece: Buffer, _encoding, next) {
        zipped = Buffer.concat([zipped, piece]);
        next();
      },
    });
    const zip = await client.batches.downloadZip(accepted.id);
    await zip.pipeTo(sink);
    expect(zip).toMatchObject({ contentType: 'application/zip', filename: `${accepted.id}.zip` });
    expect(zipped.readUInt32LE(0)).toBe(0x04034b50);
  });

  it('are created once for the same Idempotency-Key', async () => {
    const request = { template_id: template, format, items: itemsFor(['Ada']) } as const;
    const options = { idempotencyKey: `once ${template}` };
    const [first, again] = [
      await client.batches.create(request, options),
      await client.batches.create(request, options),
    ];
    expect(again.id).toBe(first.id);
  });

  it('report failed items and return the files of the others', async () => {
    const html = '{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{else}}good{{/if}}';
    const { id } = await client.templates.create({ name: 'Half', html });
    const items = [{ data: {} }, { data: { bad: true } }];
    const accepted = await client.batches.create({ template_id: id, format, items });
    const end = await client.batches.wait(accepted.id);
    expect(end).toMatchObject({ status: 'completed', completed: 1, failed: 1 });
    expect(end.items[1]).toMatchObject({
      status: 'failed',
      error: { code: expect.any(String), message: expect.any(String) },
    });
    expect(await textOf(await (await client.batches.downloadItem(accepted.id, 0)).bytes())).toBe('good');
  });

  it('are rejected as a whole for one invalid item, which the error names', async () => {
    const items = [...itemsFor(['Ada']), { data: { name: 7 } }];
    const error: unknown = await client.batches
      .create({ template_id: template, format, items })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 422, details: [{ path: '/items/1/data/name' }] });
  });

  it('reject with a NotFoundError for an unknown id', async () => {
    await expect(client.batches.get('bat-unknown')).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.batches.downloadItem('bat-unknown', 0)).rejects.toBeInstanceOf(NotFoundError);
  });
});
