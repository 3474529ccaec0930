import { beforeAll, describe, expect, it } from 'vitest';
import {
  dataKey,
  documentKeyOf,
  GATEWAY_LABEL,
  GENERATION_JOB,
  INLINE_DATA_LIMIT,
  revisionKey,
  revisionTimeOf,
  TEMPLATE,
} from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { PDF, ScriptedController } from '../../testing/scripted-controller.ts';

const gateway = await GatewayFixture.shared();
const controller = new ScriptedController(gateway);

const PRIVATE = '10.0.0.1 is not an allowed address; use a public one';
const NO_CHARACTERS = 'contains no characters that are allowed in a file name';
const CALLBACK = 'https://hooks.example.com/one?order=7';
const PDF_WANTED = { accept: 'application/pdf' };
const generate = async (body: object, headers: Record<string, string> = {}, key = gateway.key) =>
  gateway.call('POST', '/v1/generate', { body, headers, key });
const jobNamed = async (id: string) => gateway.kubernetes.resource(GENERATION_JOB).get('acme', id);

describe('POST /v1/generate with async', () => {
  it('returns 202 with a pending record and creates the job', async () => {
    const template_id = await gateway.template();
    const options = { page_size: 'a4', margins: '1in' };
    const body = { template_id, data: { name: 'Ada' }, async: true, filename: 'letter', options };
    const response = await generate(body);
    expect(response.statusCode, response.body).toBe(202);
    const { id, created_at, expires_at } = response.json();
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^gen-[0-7][0-9a-z]{25}$/),
      status: 'pending',
      template_id,
      template_version: 1,
      request_id: response.headers['x-request-id'],
      format: 'pdf',
      status_url: `/v1/generate/${id}`,
      filename: 'letter.pdf',
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(24 * 60 * 60 * 1000);
    const job = await jobNamed(id);
    const { spec } = await gateway.kubernetes.resource(TEMPLATE).get('acme', template_id);
    expect(job.metadata.labels).toBeUndefined();
    expect(job.spec).toEqual({
      templateRef: { name: template_id },
      revision: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: 1,
      data: { name: 'Ada' },
      format: 'pdf',
      options: { pageSize: 'a4', margins: { top: '1in', right: '1in', bottom: '1in', left: '1in' } },
      filename: 'letter.pdf',
      mode: 'live',
      keyId: expect.stringMatching(/^key-/),
      requestId: response.headers['x-request-id'],
      expiresAt: expires_at,
    });
    const key = revisionKey('acme', job.spec.revision ?? '', revisionTimeOf(job));
    const revision = await gateway.store.read(key);
    expect(JSON.parse(String(revision))).toMatchObject({ displayName: 'Letter', html: spec.html });
  });

  it('stores data next to the document if it is too large for the resource', async () => {
    const template_id = await gateway.template();
    const data = { text: 'ä'.repeat(INLINE_DATA_LIMIT) };
    const { id } = (await generate({ template_id, data, async: true })).json();
    const { spec } = await jobNamed(id);
    expect(spec).not.toHaveProperty('data');
    expect(spec.dataRef?.key).toBe(dataKey(documentKeyOf(await jobNamed(id))));
    const kept = await gateway.store.read(spec.dataRef?.key ?? '');
    expect(JSON.parse(String(kept))).toEqual(data);
    expect(spec.dataRef?.size).toBe(kept?.byteLength);
  });

  it('ignores an Accept header that requests the file', async () => {
    const template_id = await gateway.template();
    const response = await generate({ template_id, data: {}, async: true }, PDF_WANTED);
    expect(response.statusCode).toBe(202);
    expect(response.json().status).toBe('pending');
  });
});

describe('POST /v1/generate without async', () => {
  let template_id: string;
  beforeAll(async () => {
    template_id = await gateway.template();
    for (const job of await controller.jobs()) await controller.complete(job);
  });

  it('waits until the document is stored and returns 200 with the full record', async () => {
    const answering = generate({ template_id, data: {} });
    const job = await controller.next();
    expect(job.metadata.labels).toEqual({ [GATEWAY_LABEL]: expect.stringMatching(/^gw-/) });
    await controller.start(job);
    await controller.complete(job);
    const response = await answering;
    expect(response.statusCode, response.body).toBe(200);
    const id = job.metadata.name;
    expect(response.json()).toEqual({
      id,
      status: 'completed',
      template_id,
      template_version: 1,
      request_id: response.headers['x-request-id'],
      format: 'pdf',
      file_url: `/v1/generate/${id}/download`,
      status_url: `/v1/generate/${id}`,
      file_size: PDF.length,
      created_at: expect.any(String),
      expires_at: job.spec.expiresAt,
      render_time_ms: 12,
      warnings: [],
    });
    expect((await gateway.call('GET', `/v1/generate/${id}`)).json()).toMatchObject(response.json());
  });

  it('returns JSON instead of the file for a request with a webhook_url', async () => {
    const answering = generate({ template_id, data: {}, webhook_url: CALLBACK }, PDF_WANTED);
    await controller.complete(await controller.next());
    const response = await answering;
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ status: 'completed', file_url: expect.any(String) });
  });

  it('returns 404 if the job is deleted during the wait', async () => {
    const answering = generate({ template_id, data: {} });
    const job = await controller.next();
    await controller.start(job);
    await controller.remove(job);
    expect((await answering).json()).toMatchObject({ statusCode: 404, code: 'document_not_found' });
  });
});

it('POST /v1/generate returns 202 processing for any Accept header when the wait times out after 30 s, and the job continues', async () => {
  const clock = new FakeClock();
  const apart = await GatewayFixture.forTest({ clock });
  const body = { template_id: await apart.template(), data: {} };
  const json = apart.call('POST', '/v1/generate', { body });
  const pdf = apart.call('POST', '/v1/generate', { body, headers: PDF_WANTED });
  const own = new ScriptedController(apart);
  await eventually(async () => (await own.jobs()).length === 2);
  clock.advance(29_999);
  await own.start((await own.jobs())[0]!);
  clock.advance(1);
  for (const response of [await json, await pdf]) {
    expect(response.statusCode).toBe(202);
    expect(response.json()).toMatchObject({ status: 'processing', status_url: expect.any(String) });
  }
  const job = await own.next();
  await own.complete(job);
  expect((await apart.call('GET', `/v1/generate/${job.metadata.name}`)).json().status).toBe('completed');
});

describe('POST /v1/generate with an invalid request', () => {
  let template_id: string;
  beforeAll(async () => {
    template_id = await gateway.template();
  });

  it.each<[string, object, string, string, string?]>([
    ['no template', { template_id: undefined }, '/template_id', 'is required unless template is sent'],
    ['no data', { data: undefined }, '/data', 'is required', 'data'],
    ['data that is not an object', { data: [] }, '/data', 'must be an object', 'data'],
    ['async as a string', { async: 'true' }, '/async', 'must be a boolean'],
    [
      'an unknown format',
      { format: 'doc' },
      '/format',
      'must be one of pdf, png, jpeg, webp, html, docx, xml',
    ],
    ['an empty file name', { filename: '' }, '/filename', 'must not be empty'],
    ['a file name without a valid character', { filename: '\u0000\n ..' }, '/filename', NO_CHARACTERS],
    ['a long file name', { filename: 'x'.repeat(256) }, '/filename', 'must have at most 255 characters'],
    ['a private address', { webhook_url: 'https://10.0.0.1/' }, '/webhook_url', PRIVATE],
    ['an empty webhook_url', { webhook_url: '' }, '/webhook_url', 'must not be empty'],
    ['a webhook_url of null', { webhook_url: null }, '/webhook_url', 'must be a string'],
  ])('returns 400 for %s and creates no job', async (_what, fields, path, message, part) => {
    const before = (await controller.jobs()).length;
    const response = await generate({ template_id, data: {}, ...fields });
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json().details).toEqual([{ path, message, part }]);
    expect(await controller.jobs()).toHaveLength(before);
  });

  it('returns 400 for a format that the Accept header does not accept, and creates no job', async () => {
    const before = (await controller.jobs()).length;
    const response = await generate({ template_id, data: {}, format: 'docx' }, PDF_WANTED);
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const message = `is docx, but the Accept header requests application/pdf; request ${type} or application/json`;
    const details = [{ path: '/format', message }];
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request', details });
    expect(await controller.jobs()).toHaveLength(before);
  });

  it('returns 422 for an archived template but accepts a draft', async () => {
    const archived = await gateway.template({ status: 'archived' });
    const response = await generate({ template_id: archived, data: {}, async: true });
    expect(response.json()).toMatchObject({ statusCode: 422, code: 'template_archived' });
    const draft = await gateway.template({ status: 'draft' });
    expect((await generate({ template_id: draft, data: {}, async: true })).statusCode).toBe(202);
  });

  it('returns 413 for data that exceeds the body limit with the schema defaults', async () => {
    const text = { type: 'string', default: 'x'.repeat(100_000) };
    const rows = { name: 'rows', type: 'array', items: { type: 'object', properties: { text } } };
    const large = await gateway.template({ schema: { fields: [rows] } });
    const ofRows = async (count: number) => {
      const data = { rows: Array.from({ length: count }, () => ({})) };
      return generate({ template_id: large, data, async: true });
    };
    expect((await ofRows(20_000)).json()).toMatchObject({
      statusCode: 413,
      code: 'body_too_large',
      message: expect.stringContaining(`exceeds ${gateway.config.maxBodyBytes} bytes`),
    });
    expect((await ofRows(2)).statusCode).toBe(202);
  });

  it('returns 422 for an unusable template applied with kubectl', async () => {
    const templates = gateway.kubernetes.resource(TEMPLATE);
    const apply = async (name: string, spec: object) =>
      templates.create({ metadata: { name, namespace: 'acme' }, spec: { displayName: name, ...spec } });
    await apply('broken-html', { html: '{{#each}' });
    const field = { name: 'a', type: 'array', items: { type: 'string', minLength: 'x' } };
    await apply('broken-schema', { html: 'x', schema: { fields: [field] } });
    await apply('no-source', { sourceRef: { key: 'sources/acme/x', sha256: '0'.repeat(64), size: 1 } });
    for (const [id, code] of [
      ['broken-html', 'template_does_not_compile'],
      ['broken-schema', 'invalid_schema'],
      ['no-source', 'template_unusable'],
    ]) {
      expect((await generate({ template_id: id, data: {} })).json()).toMatchObject({ statusCode: 422, code });
    }
  });
});

it("A document's template version is never older than a change whose response was already sent", async () => {
  const template_id = await gateway.template();
  const other = await gateway.startAnother();
  for (let round = 2; round < 12; round++) {
    const gatewayOfRound = round % 2 === 0 ? other : gateway.gateway;
    await gateway.call('PATCH', `/v1/templates/${template_id}`, {
      body: { html: `version ${round}` },
      gateway: gatewayOfRound,
    });
    const { id } = (await generate({ template_id, data: {}, async: true })).json();
    const job = await jobNamed(id);
    expect(job.spec.version).toBe(round);
    const key = revisionKey('acme', job.spec.revision ?? '', revisionTimeOf(job));
    const revision = await gateway.store.read(key);
    expect(JSON.parse(String(revision)).html).toBe(`version ${round}`);
  }
});
