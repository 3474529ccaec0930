import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { ConflictError, GenerationFailedError } from '@trifold/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { readPdf, textOf, titleOf } from '../support/files/pdf.ts';
import { WebhookReceiver } from '../support/http/webhook-receiver.ts';
import {
  clientWith,
  live,
  MAY_FAIL,
  newAccount,
  otherAccount,
  receivers,
  sibling,
  typescriptClient,
} from './service-under-test.ts';

const client = typescriptClient(live);

let template_id: string;
beforeAll(async () => {
  template_id = (await client.templates.create({ name: 'Document', html: MAY_FAIL })).id;
});

describe('A document', () => {
  it('is generated with its options and metadata, and downloaded into a stream', async () => {
    const metadata = { order: 'A-17', größe: '🦄 <script>alert(1)</script>' };
    const document = await client.documents.generate({
      template_id,
      data: { name: 'Ada' },
      options: { page_size: 'a4', margins: '20mm' },
      filename: 'grüße.pdf',
      metadata,
    });
    if (document.status !== 'completed') return expect.unreachable(document.status);
    expect(document).toMatchObject({ metadata, warnings: [] });
    expect(Date.parse(document.expires_at) - Date.parse(document.created_at)).toBe(24 * 60 * 60 * 1000);
    expect(await client.documents.get(document.id)).toMatchObject(document);

    const pieces: Buffer[] = [];
    const sink = new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(piece);
        done();
      },
    });
    const file = await client.documents.downloadTo(document.id, sink);
    const size = document.file_size;
    expect(file).toMatchObject({ filename: 'grüße.pdf', contentType: 'application/pdf', size });
    const [page] = await readPdf(Buffer.concat(pieces));
    expect(page).toMatchObject({ text: 'Hello Ada', height: expect.closeTo(842, 0) });
  });

  it('is accepted asynchronously, awaited and read, with its warnings', async () => {
    const accepted = await client.documents.generateAsync({ template_id, data: {} });
    expect(accepted.status).toBe('pending');
    const early = await client.documents.download(accepted.id).catch((error: unknown) => error);
    // On a fast machine it may already be ready.
    if (early instanceof Error) expect(early).toBeInstanceOf(ConflictError);
    const end = await client.documents.wait(accepted.id, { signal: AbortSignal.timeout(60_000) });
    expect(end).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'binding_missing', name: 'name' }],
    });
    expect(await client.documents.get(accepted.id)).toEqual(end);
    expect(await textOf(await (await client.documents.download(accepted.id)).bytes())).toBe('Hello');
  });

  it('is returned as the file itself', async () => {
    const file = await client.documents.pdf({ template_id, data: { name: 'Linus' }, filename: 'linus' });
    expect(file).toMatchObject({ filename: 'linus.pdf', contentType: 'application/pdf' });
    expect(await textOf(await file.bytes())).toBe('Hello Linus');
  });

  it('is generated once for the same Idempotency-Key', async () => {
    const options = { idempotencyKey: randomUUID() };
    const request = { template_id, data: { name: 'Once' } };
    const first = await client.documents.generate(request, options);
    expect(await client.documents.generate(request, options)).toEqual(first);
    await expect(
      client.documents.generate({ ...request, data: { name: 'Twice' } }, options),
    ).rejects.toMatchObject({ name: 'ValidationError', code: 'idempotency_key_reused' });
  });

  it('reports why it failed', async () => {
    const request = { template_id, data: { bad: true } };
    const failed = await client.documents.generate(request);
    if (failed.status !== 'failed') return expect.unreachable(failed.status);
    expect(failed.error).toEqual({ code: expect.any(String), message: expect.any(String) });
    expect(await client.documents.get(failed.id)).toMatchObject({
      ...failed,
      attempts: 1,
      total_time_ms: expect.any(Number),
      timings: { queued_ms: expect.any(Number), merge_ms: expect.any(Number) },
    });
    const error: unknown = await client.documents.pdf(request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GenerationFailedError);
    expect(error).toMatchObject({ status: 422, generation: { status: 'failed', error: failed.error } });
    await expect(client.documents.download(failed.id)).rejects.toBeInstanceOf(GenerationFailedError);
  });

  it('does not change when its template changes or is deleted', async () => {
    const { id } = await live.createTemplate({ html: '<p>first</p>' });
    const { file_url } = await live.generate(id);
    await live.patch(`/v1/templates/${id}`, { html: '<p>second</p>' });
    expect(await textOf(await live.document(id))).toBe('second');
    const running = await client.documents.generateAsync({ template_id: id, data: {} });
    await live.delete(`/v1/templates/${id}`);
    expect((await client.documents.wait(running.id)).status).toBe('completed');
    expect(await textOf((await live.get(file_url as string)).bytes)).toBe('first');
  });

  it('can be read and deleted only as its key permits', async () => {
    const { id, status_url, file_url = '' } = await live.generate(template_id, { name: 'Ada' });
    expect((await sibling.get(status_url)).json()).toMatchObject({ status: 'completed' });
    expectError(await sibling.get(file_url), 403, 'different_key');
    expectError(await sibling.delete(status_url), 403, 'different_key');
    for (const response of [
      await otherAccount.get(status_url),
      await otherAccount.get(file_url),
      await otherAccount.delete(status_url),
    ]) {
      expectError(response, 404, 'document_not_found');
    }
    expect(await client.documents.delete(id)).toEqual({ id, deleted: true });
    for (const path of [status_url, file_url]) expectError(await live.get(path), 410, 'document_deleted');
  });
});

describe('A template in the request', () => {
  const template = {
    html: '<p>Hello {{name}}, {{currency}}</p>',
    schema: { fields: [{ name: 'currency', type: 'string' as const, default: 'EUR' }] },
    default_options: { page_size: 'a5' as const },
    name: 'Greeting „Łódź”',
  };

  it('creates a document and a batch that do not name a template', async () => {
    const first = await client.documents.generate({ template, data: { name: 'Ada' } });
    const again = await client.documents.generate({ template, data: { name: 'Bo' } });
    expect([first, again]).toMatchObject([
      { status: 'completed', template_id: null, warnings: [] },
      { status: 'completed', template_id: null },
    ]);
    const file = await client.documents.download(again.id);
    const bytes = await file.bytes();
    expect(await readPdf(bytes)).toMatchObject([{ text: 'Hello Bo, EUR', height: expect.closeTo(595.9, 0) }]);
    expect(await titleOf(bytes)).toBe(template.name);
    const { data: listed } = await client.documents.page({ limit: 100 });
    expect(listed.find(({ id }) => id === first.id)).toEqual(first);
    expectError(await otherAccount.get(first.status_url), 404, 'document_not_found');

    const items = [{ data: { name: 'Cy' } }, { data: { name: 'Di', currency: 'CHF' } }];
    const { id } = await client.batches.create({ template, format: 'pdf', items });
    const end = await client.batches.wait(id);
    expect(end).toMatchObject({ status: 'completed', template_id: null, completed: 2 });
    expect(await textOf(await (await client.batches.downloadItem(id, 1)).bytes())).toBe('Hello Di, CHF');
  });
});

it.skipIf(!receivers)(
  'an unfinished document that is deleted is cancelled, and its event is sent',
  async () => {
    const api = await clientWith({ account: newAccount() });
    const receiver = await WebhookReceiver.start({ authority: receivers as NonNullable<typeof receivers> });
    try {
      const endpoint = { url: receiver.url('/account', 'localhost'), events: ['document.failed'] };
      expect((await api.post('/v1/webhooks/settings', endpoint)).status).toBe(201);
      const { id } = await api.createTemplate({ html: '{{#each rows}}<p>{{this}}</p>{{/each}}' });
      // Each keeps a renderer busy long enough that the last one must wait.
      const data = { rows: Array.from({ length: 5000 }, String) };
      const ids: string[] = [];
      for (let count = 0; count < 8; count += 1) {
        const response = await api.post('/v1/generate', { template_id: id, data, async: true });
        ids.push(response.json<{ id: string }>().id);
      }
      for (const document of ids.toReversed()) {
        expect((await api.delete(`/v1/generate/${document}`)).status).toBe(200);
      }
      const last = ids.at(-1) ?? '';
      await eventually(() => {
        const events = receiver
          .at('/account')
          .map(({ body }) => JSON.parse(body) as { data: { id: string } });
        expect(events.find((event) => event.data.id === last)).toMatchObject({
          type: 'document.failed',
          data: { status: 'failed', error: { code: 'cancelled' } },
        });
      });
    } finally {
      await receiver.stop();
    }
  },
);
