import { TrifoldClient } from '@trifold/client';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { WebhookReceiver } from '../support/http/webhook-receiver.ts';
import { readZip } from '../support/files/zip.ts';
import { clientWith, live, newAccount, receivers, url } from './service-under-test.ts';

const METADATA = { order: 'A-17', größe: '🦄 <script>alert(1)</script>' };
const LARGEST = { a: 'x'.repeat(1016) };

let template_id: string;
beforeAll(async () => {
  template_id = (await live.createTemplate({ html: 'Hello {{name}}' })).id;
});

it.each([
  ['with metadata', METADATA],
  ['with the largest metadata', LARGEST],
  ['with empty metadata', {}],
])('a document %s has it in every answer', async (_what, metadata) => {
  const client = new TrifoldClient({ baseUrl: url, apiKey: String(live.key) });
  const created = await client.documents.generate({ template_id, data: { name: 'Ada' }, metadata });
  expect(created).toMatchObject({ status: 'completed', metadata });
  expect(await client.documents.get(created.id)).toEqual(created);
});

it('a batch and its items have their metadata, and the zip has their file names', async () => {
  const client = new TrifoldClient({ baseUrl: url, apiKey: String(live.key) });
  const items = [
    { data: { name: 'Ada' }, filename: 'Ticket Größe', metadata: METADATA },
    { data: { name: 'Grace' } },
    { data: { name: 'Joan' }, filename: 'ticket größe.pdf', metadata: LARGEST },
  ];
  const batch = await client.batches.create({ template_id, format: 'pdf', items, metadata: { run: '11' } });
  expect(batch.metadata).toEqual({ run: '11' });
  const end = await client.batches.wait(batch.id);
  expect(end.metadata).toEqual({ run: '11' });
  expect(end.items.map(({ metadata }) => metadata)).toEqual([METADATA, undefined, LARGEST]);
  expect((await client.batches.downloadItem(batch.id, 0)).filename).toBe('Ticket Größe.pdf');
  const zip = await (await client.batches.downloadZip(batch.id)).bytes();
  expect(readZip(Buffer.from(zip)).map(({ name }) => name)).toEqual([
    'Ticket Größe.pdf',
    `${batch.id}-1.pdf`,
    'ticket größe (2).pdf',
  ]);
});

it.skipIf(!receivers)('the events of documents and batches have their metadata', async () => {
  const api = await clientWith({ account: newAccount() });
  const receiver = await WebhookReceiver.start({ authority: receivers as NonNullable<typeof receivers> });
  try {
    const { id } = await api.createTemplate({ html: 'Hello {{name}}' });
    const endpoint = { url: receiver.url('/account', 'localhost') };
    expect((await api.post('/v1/webhooks/settings', endpoint)).status).toBe(201);
    const request = { template_id: id, metadata: METADATA };
    const webhook_url = receiver.url('/callback', 'localhost');
    await api.post('/v1/generate', { ...request, data: { name: 'Ada' }, webhook_url });
    await api.post('/v1/generate/batch', { ...request, format: 'pdf', items: [{ data: { name: 'Ada' } }] });
    const received = await eventually(() => {
      const found = [...receiver.at('/account'), ...receiver.at('/callback')];
      return found.length >= 3 && found;
    });
    const events = received.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['document.completed', 'batch.completed', 'generation.completed']),
    );
    for (const { data } of events) expect(data).toMatchObject({ metadata: METADATA });
  } finally {
    await receiver.stop();
  }
});
