import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freshService } from './fresh-service.ts';

interface Storage {
  readonly bytes: number | null;
  readonly limit: number | null;
}

/** The controller counts every ten seconds, and the gateway reads the count every ten seconds. */
const UNTIL_COUNTED = { timeoutMs: 60_000, intervalMs: 1_000 };

it('requests from an account that has filled its storage are rejected until its documents are deleted', async () => {
  const service = await freshService({
    environment: { TRIFOLD_MAX_STORED_BYTES: '200Ki' },
    constants: { collectionIntervalMs: 10_000 },
  });
  const { live } = service;
  const { id: template_id } = await live.createTemplate({ html: '<p>{{text}}</p>' });
  const body = { template_id, format: 'html', data: { text: 'x'.repeat(50_000) } };
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    made.push((await live.post('/v1/generate', body)).json<{ id: string }>().id);
  }
  const full = await eventually(async () => {
    const response = await live.post('/v1/generate', { ...body, data: {} });
    expect(response.status).toBe(507);
    return response;
  }, UNTIL_COUNTED);
  expect(full.json()).toMatchObject({
    code: 'storage_full',
    message: expect.stringMatching(/stores 2\d{5} bytes; the limit is 204800\./),
  });
  const { storage } = (await live.get('/v1/usage')).json<{ storage: Storage }>();
  expect(storage.limit).toBe(200 * 1024);
  expect(storage.bytes).toBeGreaterThan(200 * 1024);

  for (const id of made) expect((await live.delete(`/v1/generate/${id}`)).status).toBe(200);
  await eventually(async () => {
    expect((await live.post('/v1/generate', body)).status).toBe(200);
  }, UNTIL_COUNTED);
  await service.stop();
});
