import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectError, type Api, type GenerationAnswer } from '../support/api.ts';
import { live, sibling } from './service-under-test.ts';

const send = (key: string, body: object, api: Api = live, headers: Record<string, string> = {}) =>
  api.post('/v1/generate', body, { 'idempotency-key': key, ...headers });

async function request(): Promise<{ key: string; body: { template_id: string; data: object } }> {
  const { id } = await live.createTemplate();
  return { key: randomUUID(), body: { template_id: id, data: { name: 'Ada' } } };
}

describe('Idempotency-Key', () => {
  it('creates one document for a request sent twice', async () => {
    const { key, body } = await request();
    const first = await send(key, body);
    expect(first.status, first.text).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await send(key, body);
    expect(again.status).toBe(200);
    expect(again.json()).toEqual(first.json());
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('creates one document for ten concurrent requests', async () => {
    const { key, body } = await request();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(key, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.json<GenerationAnswer>().id)).size).toBe(1);
  });

  it('answers a repeated request in the format that it accepts', async () => {
    const { key, body } = await request();
    const first = (await send(key, body)).json<GenerationAnswer>();
    const file = await send(key, body, live, { accept: 'application/pdf' });
    expect(file.status).toBe(200);
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.headers.get('content-location')).toBe(first.file_url);
  });

  it('answers 202 with the same document for an asynchronous request', async () => {
    const { key, body } = await request();
    const [first, again] = [
      await send(key, { ...body, async: true }),
      await send(key, { ...body, async: true }),
    ];
    expect([first.status, again.status]).toEqual([202, 202]);
    const { id } = first.json<GenerationAnswer>();
    expect(again.json<GenerationAnswer>().id).toBe(id);
    expect((await live.finished(id)).status).toBe('completed');
  });

  it('answers 422 when the body differs', async () => {
    const { key, body } = await request();
    await send(key, body);
    const answer = await send(key, { ...body, data: { name: 'Grace' } });
    expect(expectError(answer, 422).code).toBe('idempotency_key_reused');
  });

  it('identifies another request when the API key differs', async () => {
    const { key, body } = await request();
    const [mine, theirs] = [await send(key, body), await send(key, body, sibling)];
    expect(theirs.json<GenerationAnswer>().id).not.toBe(mine.json<GenerationAnswer>().id);
  });
});
