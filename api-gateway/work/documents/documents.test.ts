import { parse } from 'content-disposition';
import { describe, expect, it, vi } from 'vitest';
import {
  dataKey,
  documentKeyOf,
  GENERATION_JOB,
  INLINE_DATA_LIMIT,
  newId,
  type DocumentWarning,
  type GenerationJob,
} from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';
import { PDF, ScriptedController } from '../../testing/scripted-controller.ts';

const HOUR = 60 * 60 * 1000;
const WARNINGS: DocumentWarning[] = [
  {
    code: 'resource_blocked',
    message: 'The image was not loaded.',
    name: 'https://images.example/logo.png',
  },
];

const clock = new FakeClock();
const gateway = await GatewayFixture.shared({ clock });
const controller = new ScriptedController(gateway);
const template_id = await gateway.template();

const status = async (id: string, key = gateway.key) => gateway.call('GET', `/v1/generate/${id}`, { key });
const download = async (id: string, key = gateway.key, headers: Record<string, string> = {}) =>
  gateway.call('GET', `/v1/generate/${id}/download`, { key, headers });

const accepted = async (fields: object = {}) => gateway.job({ template_id, ...fields });

async function completed(members: object = {}): Promise<GenerationJob> {
  const job = await accepted(members);
  await controller.complete(job);
  return job;
}

describe('GET /v1/generate/:id', () => {
  it("returns the same response after a completed or failed document's resource is deleted", async () => {
    const metadata = { a: 'x'.repeat(1024 - JSON.stringify({ a: '' }).length) };
    const good = await completed({ filename: 'Größe.pdf', metadata });
    const bad = await accepted({ metadata, options: { page_size: 'a4' } });
    const finishedAt = new Date(clock.now().getTime() + 1500).toISOString();
    const steps = { queuedMs: 3, mergeMs: 4.5 };
    await controller.fail(bad, { attempt: 2, warnings: WARNINGS, timings: steps, finishedAt });
    const lost = await accepted();
    await controller.fail(lost);
    const noted = await accepted();
    await controller.complete(noted, WARNINGS);
    for (const job of [good, bad, lost, noted]) {
      const before = (await status(job.metadata.name)).json();
      expect(before.metadata).toEqual([lost, noted].includes(job) ? undefined : metadata);
      expect(before).toMatchObject({ template_version: 1, request_id: expect.stringMatching(/^req-/) });
      await controller.remove(job);
      const after = await status(job.metadata.name);
      expect(after.statusCode).toBe(200);
      expect(after.json()).toEqual(before);
    }
    const timings = { queued_ms: 1, merge_ms: 2, print_ms: 8, store_ms: 1 };
    expect((await status(noted.metadata.name)).json()).toMatchObject({ warnings: WARNINGS, timings });
    expect((await status(bad.metadata.name)).json()).toMatchObject({
      key_id: expect.stringMatching(/^key-/),
      options: { page_size: 'a4' },
      warnings: WARNINGS,
      attempts: 2,
      total_time_ms: 1500,
      timings: { queued_ms: 3, merge_ms: 4.5 },
    });
    const unknown = { warnings: [], attempts: 0, total_time_ms: 0, timings: {} };
    expect((await status(lost.metadata.name)).json()).toMatchObject(unknown);
    expect((await download(good.metadata.name)).rawPayload).toEqual(PDF);
    expect((await download(bad.metadata.name)).statusCode).toBe(409);
  });

  it('remains failed if the renderer stores the file after the failure was reported', async () => {
    const job = await accepted();
    await controller.fail(job);
    await controller.storeFile(job);
    await controller.remove(job);
    expect((await status(job.metadata.name)).json().status).toBe('failed');
    expect((await download(job.metadata.name)).json().code).toBe('generation_failed');
  });

  it('checks the key after the resource is deleted', async () => {
    const job = await completed();
    const id = job.metadata.name;
    await controller.remove(job);
    const sibling = await gateway.mint({}, true);
    expect((await status(id, sibling)).statusCode).toBe(200);
    expect((await download(id, sibling)).json()).toMatchObject({ statusCode: 403, code: 'different_key' });
    for (const response of [await status(id, gateway.otherKey), await download(id, gateway.otherKey)]) {
      expect(response.json()).toMatchObject({ statusCode: 404, code: 'document_not_found' });
    }
  });

  it.each([
    'gen-nothing',
    newId('gen', clock.now()),
    newId('gen', new Date(clock.now().getTime() + HOUR)),
    '%00',
    '..%2f..%2fx',
  ])('returns 404 for the unknown ID %s', async (id) => {
    expect((await status(id)).json().code).toBe('document_not_found');
    expect((await download(id)).statusCode).toBe(404);
  });

  it('returns 410 for any well-formed ID older than a day', async () => {
    const old = newId('gen', new Date(clock.now().getTime() - 24 * HOUR));
    expect((await status(old)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
    expect((await download(old)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
  });
});

describe('GET /v1/generate/:id/data', () => {
  const data = async (id: string, key = gateway.key) =>
    gateway.call('GET', `/v1/generate/${id}/data`, { key });
  const SMALL = '{"total":12}';
  const LARGE = JSON.stringify({ text: 'x'.repeat(INLINE_DATA_LIMIT) });

  it.each([
    ['small', SMALL],
    ['large', LARGE],
  ])('returns %s data of an unfinished document for as long as it is stored', async (_size, json) => {
    const response = await gateway.call('POST', '/v1/generate', {
      body: `{"template_id":"${template_id}","async":true,"data":${json}}`,
      headers: { 'content-type': 'application/json' },
    });
    const { id } = response.json();
    const job = await gateway.kubernetes.resource(GENERATION_JOB).get('acme', id);
    expect((await data(id)).payload).toBe(json);
    await controller.fail(job);
    await gateway.store.put(dataKey(documentKeyOf(job)), json);
    await controller.remove(job);
    const kept = await data(id);
    expect(kept.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(json.length),
    });
    expect(kept.payload).toBe(json);
    const get = vi.spyOn(gateway.store, 'get');
    const head = await gateway.call('HEAD', `/v1/generate/${id}/data`);
    expect([head.headers['content-length'], head.payload]).toEqual([String(json.length), '']);
    expect((await get.mock.results[0]?.value)?.body.readableDidRead).toBe(false);
    get.mockRestore();
    await gateway.store.delete(dataKey(documentKeyOf(job)));
    expect((await data(id)).json()).toMatchObject({ statusCode: 410, code: 'data_deleted' });
  });

  it('returns the data only to keys that may download the document', async () => {
    const { metadata } = await completed();
    const sibling = await gateway.mint({}, true);
    expect((await data(metadata.name, sibling)).json()).toMatchObject({ code: 'different_key' });
    expect((await data(metadata.name, gateway.otherKey)).json()).toMatchObject({
      code: 'document_not_found',
    });
  });
});

describe('GET /v1/generate/:id/download', () => {
  it('returns the bytes, their length, ETag and file name', async () => {
    const job = await completed({ filename: 'Angebot “Übergröße” 🦄' });
    const response = await download(job.metadata.name);
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload).toEqual(PDF);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    const disposition = parse(String(response.headers['content-disposition']));
    const filename = 'Angebot “Übergröße” 🦄.pdf';
    expect(disposition).toMatchObject({ type: 'attachment', parameters: { filename } });
  });

  it('returns only headers for HEAD and 304 for a matching If-None-Match', async () => {
    const job = await completed();
    const url = `/v1/generate/${job.metadata.name}/download`;
    const full = await gateway.call('GET', url);
    const head = await gateway.call('HEAD', url);
    expect(head.statusCode).toBe(200);
    expect(head.rawPayload).toHaveLength(0);
    for (const name of ['content-type', 'content-length', 'etag', 'content-disposition']) {
      expect(head.headers[name]).toBe(full.headers[name]);
    }
    const again = await download(job.metadata.name, gateway.key, {
      'if-none-match': String(full.headers.etag),
    });
    expect(again.statusCode).toBe(304);
    expect(again.rawPayload).toHaveLength(0);
  });

  it('returns 409 with the URL to poll until the document is finished', async () => {
    const job = await accepted();
    const response = await download(job.metadata.name);
    expect(response.json()).toMatchObject({
      statusCode: 409,
      code: 'not_ready',
      message: expect.stringContaining(`/v1/generate/${job.metadata.name}`),
    });
  });

  it("accepts any of the account's keys, even for a batch, if the deployment allows it", async () => {
    const relaxed = await GatewayFixture.forTest({ config: { downloadAccess: 'account' } });
    const own = new ScriptedController(relaxed);
    const batches = new ScriptedBatches(relaxed, await relaxed.template());
    const job = await relaxed.job({ template_id: batches.template_id });
    await own.complete(job);
    const batch = await batches.accepted();
    await batches.finish(batch);
    const key = await relaxed.mint({}, true);
    const path = `/v1/generate/${job.metadata.name}/download`;
    expect((await relaxed.call('GET', path, { key })).statusCode).toBe(200);
    expect((await batches.item(batch, 0, key)).statusCode).toBe(200);
    expect((await batches.zip(batch, key)).statusCode).toBe(200);
  });

  it("accepts any of the account's keys for a document created with kubectl", async () => {
    const jobs = gateway.kubernetes.resource(GENERATION_JOB);
    const job = await jobs.create({
      metadata: { name: 'by-hand', namespace: 'acme' },
      spec: { templateRef: { name: template_id }, data: {}, filename: '../../etc/passwd\r\nX: y' },
    });
    await controller.complete(job);
    const sibling = await gateway.mint({}, true);
    const response = await download('by-hand', sibling);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-disposition']).toBe('attachment; filename=".._.._etc_passwdX: y.pdf"');
  });

  it('returns 410 after one day even if the file still exists', async () => {
    const job = await completed();
    const gone = await completed();
    await controller.remove(gone);
    clock.advance(24 * HOUR - 1);
    expect((await download(job.metadata.name)).statusCode).toBe(200);
    expect((await download(gone.metadata.name)).statusCode).toBe(200);
    clock.advance(1);
    for (const { metadata } of [job, gone]) {
      expect((await status(metadata.name)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
      expect((await download(metadata.name)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
    }
    expect((await download('by-hand')).statusCode).toBe(410);
  });
});
