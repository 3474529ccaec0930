import { Writable } from 'node:stream';
import type { BatchWithItems } from '@trifold/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { readZip } from '../support/files/zip.ts';
import { live, MAY_FAIL, otherAccount, sibling, typescriptClient } from './service-under-test.ts';

const client = typescriptClient(live);
const format = 'pdf';

let template_id: string;
beforeAll(async () => {
  const fields = [{ name: 'name', type: 'string' as const, default: 'nobody' }];
  template_id = (await client.templates.create({ name: 'Batch', html: MAY_FAIL, schema: { fields } })).id;
});

describe('A batch', () => {
  it('reports its progress and returns every file, even after its template is deleted', async () => {
    const { id: own } = await live.createTemplate({ html: '<p>Hello {{name}}</p>' });
    const names = Array.from({ length: 12 }, (_, index) => `person ${index}`);
    const items = names.map((name) => ({ data: { name } }));
    const accepted = await client.batches.create({ template_id: own, format, items });
    await live.patch(`/v1/templates/${own}`, { html: '<p>after</p>' });
    await live.delete(`/v1/templates/${own}`);

    const seen: BatchWithItems[] = [];
    const end = await client.batches.wait(accepted.id, {
      onProgress: (batch) => void seen.push(batch),
      signal: AbortSignal.timeout(60_000),
    });
    expect(end).toMatchObject({ id: accepted.id, status: 'completed', completed: 12, failed: 0 });
    expect(seen.at(-1)).toEqual(end);
    const done = seen.map(({ completed, failed }) => completed + failed);
    expect(done).toEqual(done.toSorted((left, right) => left - right));

    const bytes = await (await client.batches.downloadItem(accepted.id, 11)).bytes();
    expect(await textOf(bytes)).toBe('Hello person 11');
    expect(end.items[11]).toMatchObject({ index: 11, status: 'completed', file_size: bytes.length });
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
    const texts = await Promise.all(readZip(zipped).map((file) => textOf(file.bytes)));
    expect(texts).toEqual(names.map((name) => `Hello ${name}`));
  });

  it('completes even if an item fails, with metadata, file names and schema defaults', async () => {
    const metadata = { order: 'A-17', größe: '🦄' };
    const items = [
      { data: { name: 'Ada' }, filename: 'Ticket Größe', metadata },
      { data: { bad: true } },
      { data: {}, filename: 'ticket größe.pdf' },
    ];
    const { id } = await client.batches.create({ template_id, format, items, metadata: { run: '11' } });
    const end = await client.batches.wait(id);
    expect(end).toMatchObject({ status: 'completed', completed: 2, failed: 1, metadata: { run: '11' } });
    expect(end.items[0]).toMatchObject({ metadata });
    const error = { code: expect.any(String) as string, message: expect.any(String) as string };
    expect(end.items[1]).toMatchObject({ status: 'failed', error });
    expectError(await live.get(`/v1/generate/batch/${id}/items/1/download`), 409, 'generation_failed');
    const zip = readZip(Buffer.from(await (await client.batches.downloadZip(id)).bytes()));
    expect(zip.map(({ name }) => name)).toEqual(['Ticket Größe.pdf', 'ticket größe (2).pdf']);
    expect(await textOf(zip[1]?.bytes ?? Buffer.alloc(0))).toBe('Hello nobody');
  });

  it('is created once for the same Idempotency-Key, and only its API key can download it', async () => {
    const request = { template_id, format, items: [{ data: { name: 'Ada' } }] } as const;
    const options = { idempotencyKey: `once ${template_id}` };
    const { id } = await client.batches.create(request, options);
    expect((await client.batches.create(request, options)).id).toBe(id);
    await client.batches.wait(id);
    const path = `/v1/generate/batch/${id}`;
    expect((await sibling.get(path)).json()).toMatchObject({ status: 'completed' });
    for (const file of [`${path}/download`, `${path}/items/0/download`]) {
      expectError(await sibling.get(file), 403, 'different_key');
      expectError(await otherAccount.get(file), 404, 'batch_not_found');
      expect((await live.get(file)).status).toBe(200);
    }
    expectError(await otherAccount.get(path), 404, 'batch_not_found');
  });
});
