import { TrifoldClient } from '@trifold/client';
import { beforeAll, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { WebhookReceiver } from '../support/http/webhook-receiver.ts';
import {
  clientWith,
  live,
  newAccount,
  otherAccount,
  receivers,
  sibling,
  test as testKey,
  url,
} from './service-under-test.ts';

import type { DocumentedApi } from './documented-api.ts';

let template_id: string;
beforeAll(async () => {
  template_id = (await live.createTemplate()).id;
});

/** Checks that every route of the document answers 410. */
async function expectDeleted(api: DocumentedApi, id: string): Promise<void> {
  for (const path of [`/v1/generate/${id}`, `/v1/generate/${id}/download`]) {
    expect(expectError(await api.get(path), 410).code).toBe('document_deleted');
  }
  expect(expectError(await api.delete(`/v1/generate/${id}`), 410).code).toBe('document_deleted');
}

it.each([
  ['a live key', live],
  ['a test key', testKey],
])('a finished document of %s is deleted', async (_what, api) => {
  const client = new TrifoldClient({ baseUrl: url, apiKey: String(api.key) });
  const { id } = await client.documents.generate({ template_id, data: {} });
  expect(await client.documents.delete(id)).toEqual({ id, deleted: true });
  await expectDeleted(api, id);
});

it('a document is deleted only by a key that may download it', async () => {
  const { id, file_url } = await live.generate(template_id);
  for (const api of [sibling, otherAccount]) {
    const download = await api.get(file_url as string);
    const deletion = await api.delete(`/v1/generate/${id}`);
    const { code } = expectError(download, download.status);
    expect(expectError(deletion, download.status).code).toBe(code);
  }
  expect((await live.get(file_url as string)).status).toBe(200);
});

it('a batch keeps its documents', async () => {
  const items = [{ data: {} }];
  const batch = (await live.post('/v1/generate/batch', { template_id, format: 'pdf', items })).json<{
    id: string;
  }>();
  const answer = await live.delete(`/v1/generate/${batch.id}`);
  expect(expectError(answer, 422)).toMatchObject({ code: 'batch_not_deletable' });
});

it.skipIf(!receivers)(
  'an unfinished document is cancelled, with its event, and a finished one stays billed',
  async () => {
    const api = await clientWith({ account: newAccount() });
    const receiver = await WebhookReceiver.start({ authority: receivers as NonNullable<typeof receivers> });
    try {
      const endpoint = { url: receiver.url('/account', 'localhost'), events: ['document.failed'] };
      expect((await api.post('/v1/webhooks/settings', endpoint)).status).toBe(201);
      const template = await api.createTemplate({ html: '{{#each rows}}<p>{{this}}</p>{{/each}}' });
      const finished = await api.generate(template.id, {}, { format: 'png' });
      // Each takes a renderer long enough for the last one to wait.
      const request = {
        template_id: template.id,
        data: { rows: Array.from({ length: 5000 }, String) },
        async: true,
      };
      const ids: string[] = [];
      for (let at = 0; at < 8; at += 1)
        ids.push((await api.post('/v1/generate', request)).json<{ id: string }>().id);
      const last = ids.pop() as string;
      expect((await api.delete(`/v1/generate/${last}`)).status).toBe(200);
      await expectDeleted(api, last);
      for (const id of [...ids, finished.id])
        expect((await api.delete(`/v1/generate/${id}`)).status).toBe(200);
      const event = await eventually(() => {
        const events = receiver
          .at('/account')
          .map(({ body }) => JSON.parse(body) as { data: { id: string } });
        return events.find(({ data }) => data.id === last) ?? false;
      });
      expect(event).toMatchObject({
        type: 'document.failed',
        data: { status: 'failed', error: { code: 'cancelled' } },
      });
      await eventually(async () => {
        const usage = (await api.get('/v1/usage')).json<{
          total: { documents: { live: { png: number } }; failed: number };
        }>();
        expect(usage.total.documents.live.png).toBe(1);
        expect(usage.total.failed).toBeGreaterThanOrEqual(1);
      });
    } finally {
      await receiver.stop();
    }
  },
);
