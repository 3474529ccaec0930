import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import {
  AuthenticationError,
  ForbiddenError,
  GenerationFailedError,
  MissingScopesError,
  ConflictError,
  NotFoundError,
  TrifoldClient,
  ValidationError,
  type Scope,
} from '@trifold/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { textOf } from '../support/files/pdf.ts';
import { inventKeys } from '../support/service.ts';
import { clientWith, live, newAccount, sibling, test, url } from './service-under-test.ts';

/** Client with a key of the service under test. */
function clientOf({ key }: { key: string | undefined }): TrifoldClient {
  return new TrifoldClient({ baseUrl: url, apiKey: String(key) });
}

const client = clientOf(live);
const thrownBy = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => expect.unreachable(JSON.stringify(value)),
    (error: unknown) => error,
  );

let template: string;
beforeAll(async () => {
  template = (await client.templates.create({ name: 'Client', html: '<p>Hello {{name}}</p>' })).id;
});

describe('Templates through the client', () => {
  it('can be created, read, changed and deleted with all their members', async () => {
    const made = await client.templates.create({
      name: 'Invoice',
      description: 'With lines',
      status: 'draft',
      html: '<h1>{{number}}</h1>{{#each lines}}<p>{{text}}</p>{{/each}}',
      css: 'h1 { color: teal }',
      schema: {
        fields: [
          { name: 'number', type: 'string', required: true, pattern: '^[0-9]+$', minLength: 1, maxLength: 9 },
          {
            name: 'lines',
            type: 'array',
            maxItems: 100,
            items: { type: 'object', properties: { text: { type: 'string', required: true } } },
          },
        ],
      },
      default_options: { page_size: 'a4', orientation: 'landscape', margins: { top: '10mm', left: '0.5in' } },
      email: { subject: 'Invoice {{number}}', preheader: 'Thank you' },
    });
    expect(made).toMatchObject({ name: 'Invoice', status: 'draft', version: 1, css: 'h1 { color: teal }' });
    expect(made.schema?.fields.map(({ name }) => name)).toEqual(['number', 'lines']);
    expect(made.default_options).toMatchObject({ page_size: 'a4', orientation: 'landscape' });
    expect(await client.templates.get(made.id)).toEqual(made);

    const changed = await client.templates.update(
      made.id,
      { name: 'Bill', css: null, email: null },
      { ifVersion: 1 },
    );
    expect(changed).toMatchObject({ id: made.id, name: 'Bill', version: 2, css: null, email: null });
    expect(changed.html).toBe(made.html);

    const late = await thrownBy(client.templates.update(made.id, {}, { ifVersion: 1 }));
    expect(late).toBeInstanceOf(ConflictError);
    expect(late).toMatchObject({ status: 412, code: 'version_conflict' });

    const { versions } = client.templates;
    expect(await versions.page(made.id, { limit: 1 })).toMatchObject({
      data: [{ version: 2, change: 'updated', by: 'key' }],
      pagination: { total_count: 2 },
    });
    const listed: number[] = [];
    for await (const { version } of versions.list(made.id, { limit: 1 })) listed.push(version);
    expect(listed).toEqual([2, 1]);
    expect(await versions.get(made.id, 1)).toEqual(made);
    const restored = await versions.restore(made.id, 1);
    expect(restored).toEqual({ ...made, version: 3, updated_at: restored.updated_at });
    expect(await client.templates.publish(made.id, 2)).toEqual({ ...restored, published_version: 2 });
    expect(await client.templates.publish(made.id, null)).toEqual(restored);
    const missing = await thrownBy(versions.get(made.id, 9));
    expect(missing).toMatchObject({ status: 404, code: 'version_not_found' });

    expect(await client.templates.delete(made.id)).toEqual({ id: made.id, deleted: true });
    const error = await thrownBy(client.templates.get(made.id));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'template_not_found', requestId: expect.any(String) });
  });

  it('can be listed page by page or iterated over all pages', async () => {
    const own = clientOf(await clientWith({ account: newAccount() }));
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ids.unshift((await own.templates.create({ name, html: name, status: 'draft' })).id);
    }
    const page = await own.templates.page({ limit: 2 });
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(page.pagination).toEqual({ has_more: true, next_cursor: expect.any(String), total_count: 5 });

    const listed: string[] = [];
    for await (const entry of own.templates.list({ limit: 2 })) listed.push(entry.id);
    expect(listed).toEqual(ids);
    const rest: string[] = [];
    const cursor = page.pagination.next_cursor ?? undefined;
    for await (const entry of own.templates.list({ limit: 100, cursor })) rest.push(entry.id);
    expect(rest).toEqual(ids.slice(2));
    for await (const entry of own.templates.list({ status: 'active' })) expect.unreachable(entry.id);
  });
});

describe('Documents through the client', () => {
  it('can be generated and downloaded into a stream', async () => {
    const document = await client.documents.generate({
      template_id: template,
      data: { name: 'Ada' },
      options: { page_size: 'a4', margins: '20mm' },
      filename: 'grüße.pdf',
    });
    if (document.status !== 'completed') return expect.unreachable(document.status);
    expect(document.file_url).toBe(`/v1/generate/${document.id}/download`);
    const pieces: Buffer[] = [];
    const sink = new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(piece);
        done();
      },
    });
    const facts = await client.documents.downloadTo(document.id, sink);
    expect(facts).toMatchObject({
      filename: 'grüße.pdf',
      contentType: 'application/pdf',
      size: document.file_size,
    });
    const bytes = Buffer.concat(pieces);
    expect(bytes.length).toBe(document.file_size);
    expect(await textOf(bytes)).toBe('Hello Ada');
  });

  it('can be accepted asynchronously, waited for and read', async () => {
    const accepted = await client.documents.generateAsync({ template_id: template, data: { name: 'Grace' } });
    expect(accepted.status).toBe('pending');
    const end = await client.documents.wait(accepted.id, { signal: AbortSignal.timeout(60_000) });
    expect(end).toMatchObject({ id: accepted.id, status: 'completed', file_size: expect.any(Number) });
    expect(await client.documents.get(accepted.id)).toEqual(end);
    const download = await client.documents.download(accepted.id);
    expect(await textOf(await download.bytes())).toBe('Hello Grace');
  });

  it('can be returned as the file itself', async () => {
    const request = { template_id: template, data: { name: 'Linus' }, filename: 'linus' };
    const download = await client.documents.pdf(request);
    expect(download).toMatchObject({ filename: 'linus.pdf', contentType: 'application/pdf' });
    expect(await textOf(await download.bytes())).toBe('Hello Linus');
  });

  it('are generated once for the same Idempotency-Key', async () => {
    const idempotencyKey = randomUUID();
    const request = { template_id: template, data: { name: 'Once' } };
    const first = await client.documents.generate(request, { idempotencyKey });
    expect(await client.documents.generate(request, { idempotencyKey })).toEqual(first);
    const other = { ...request, data: { name: 'Twice' } };
    const error = await thrownBy(client.documents.generate(other, { idempotencyKey }));
    expect(error).toMatchObject({ name: 'ValidationError', code: 'idempotency_key_reused' });
  });

  it('report why they failed', async () => {
    const { id } = await client.templates.create({
      name: 'Endless',
      html: '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}',
    });
    const request = { template_id: id, data: {} };
    const failed = await client.documents.generate(request);
    if (failed.status !== 'failed') return expect.unreachable(failed.status);
    expect(failed.error).toEqual({ code: expect.any(String), message: expect.any(String) });

    const error = await thrownBy(client.documents.pdf(request));
    expect(error).toBeInstanceOf(GenerationFailedError);
    expect(error).toMatchObject({ status: 422, generation: { status: 'failed', error: failed.error } });
    await expect(client.documents.download(failed.id)).rejects.toBeInstanceOf(GenerationFailedError);
  });
});

describe('Emails through the client', () => {
  const html = '<p>Hello {{name}}</p>';

  it('can be compiled from an inline template', async () => {
    const email = await client.emails.compile({
      template: { engine: 'handlebars-html', subject: 'Hi {{name}}', html },
      data: { name: 'Ada' },
    });
    expect(email).toMatchObject({ template_id: null, subject: 'Hi Ada', text: 'Hello Ada', stored: false });
    expect(email.providers.brevo).toEqual({
      subject: 'Hi Ada',
      htmlContent: email.html,
      textContent: 'Hello Ada',
    });
  });

  it('can be compiled from a saved template', async () => {
    const { id } = await client.templates.create({ name: 'Letter', html, email: { subject: 'Hi' } });
    const email = await client.emails.compile({ template_id: id, data: { name: 'Ada' } });
    expect(email).toMatchObject({ template_id: id, providers: { resend: { subject: 'Hi' } } });
  });
});

describe('API keys through the client', () => {
  it('can be created, used, listed and revoked', async () => {
    const scopes: Scope[] = ['documents:generate'];
    const made = await client.apiKeys.create({ name: 'Shop', description: 'Till 4', scopes });
    expect(made).toMatchObject({ name: 'Shop', description: 'Till 4', type: 'live', scopes });
    const shop = clientOf(made);
    await eventually(() => shop.documents.generate({ template_id: template, data: {} }));

    const read = await client.apiKeys.get(made.id);
    expect(read).toMatchObject({ id: made.id, last_four: made.key.slice(-4) });
    const listed: string[] = [];
    for await (const { id } of client.apiKeys.list({ limit: 100 })) listed.push(id);
    expect(listed).toContain(made.id);

    expect(await client.apiKeys.revoke(made.id)).toEqual({ id: made.id, deleted: true });
    await eventually(async () => {
      const error = await thrownBy(shop.documents.get('gen-unknown'));
      return error instanceof AuthenticationError;
    });
  });
});

describe('Errors through the client', () => {
  const request = () => ({ template_id: template, data: {} });

  it('report an invalid key', async () => {
    const error = await thrownBy(clientOf({ key: inventKeys().live }).templates.page());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: 'invalid_key' });
  });

  it('report a missing scope and the scopes of the key', async () => {
    const reader = clientOf(await clientWith({ scopes: ['templates:read'] }));
    const error = await thrownBy(reader.documents.generate(request()));
    expect(error).toBeInstanceOf(MissingScopesError);
    expect(error).toMatchObject({
      status: 401,
      missingScopes: ['documents:generate'],
      yourScopes: ['templates:read'],
      hint: expect.stringMatching(/\S/),
      requestId: expect.any(String),
    });
  });

  it('report where data violates the schema', async () => {
    const fields = [{ name: 'total', type: 'number' as const, required: true }];
    const { id } = await client.templates.create({ name: 'Strict', html: '{{total}}', schema: { fields } });
    const error = await thrownBy(client.documents.generate({ template_id: id, data: { total: 'much' } }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      status: 422,
      code: 'data_invalid',
      details: [{ path: '/data/total', message: expect.any(String) }],
    });
  });

  it('report what the key may not do', async () => {
    const { id } = await client.documents.generate(request());
    const error = await thrownBy(clientOf(sibling).documents.download(id));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({ code: 'different_key' });
    const more = await thrownBy(clientOf(test).apiKeys.create({ name: 'x', type: 'live' }));
    expect(more).toBeInstanceOf(ForbiddenError);
  });

  it('report that a document is not ready', async () => {
    const { id } = await client.templates.create({
      name: 'Long',
      html: '{{#each rows}}<p>{{this}}</p>{{/each}}',
    });
    const rows = Array.from({ length: 4000 }, (_, index) => index);
    const accepted = await client.documents.generateAsync({ template_id: id, data: { rows } });
    const early = await client.documents.download(accepted.id).catch((error: unknown) => error);
    // On a fast machine it may already be ready.
    if (early instanceof Error) expect(early).toBeInstanceOf(ConflictError);
    expect((await client.documents.wait(accepted.id)).status).toBe('completed');
  });
});
