import { ConflictError, NotFoundError } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { live, otherAccount, test, typescriptClient } from './service-under-test.ts';

const client = typescriptClient(live);

describe('Templates', () => {
  it('are created, read, changed, restored, published and deleted with all their fields', async () => {
    const made = await client.templates.create({
      name: 'Faktura „Łódź” 📄',
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
    expect(made).toMatchObject({ name: 'Faktura „Łódź” 📄', status: 'draft', version: 1 });
    expect(await client.templates.get(made.id)).toEqual(made);

    const change = { name: 'Bill', css: null, email: null };
    const changed = await client.templates.update(made.id, change, { ifVersion: 1 });
    expect(changed).toMatchObject({ ...change, id: made.id, html: made.html, version: 2 });
    const late: unknown = await client.templates
      .update(made.id, {}, { ifVersion: 1 })
      .catch((error: unknown) => error);
    expect(late).toBeInstanceOf(ConflictError);
    expect(late).toMatchObject({ status: 412, code: 'version_conflict' });

    const { versions } = client.templates;
    const listed = [];
    for await (const { version, change: kind, by } of versions.list(made.id, { limit: 1 })) {
      listed.push([version, kind, by]);
    }
    expect(listed).toEqual([
      [2, 'updated', 'key'],
      [1, 'created', 'key'],
    ]);
    expect(await versions.get(made.id, 1)).toEqual(made);
    const restored = await versions.restore(made.id, 1);
    expect(restored).toEqual({ ...made, version: 3, updated_at: restored.updated_at });
    expect(await client.templates.publish(made.id, 2)).toEqual({ ...restored, published_version: 2 });
    expect(await client.templates.publish(made.id, null)).toEqual(restored);
    const samples = ['A', 'B'].map((name) => ({ name, data: { text: 'ł'.repeat(400_000) } }));
    await client.templates.saveSamples(made.id, samples);
    expect(await client.templates.samples(made.id)).toEqual(samples);
    expect(await client.templates.get(made.id)).toEqual(restored);
    await expect(versions.get(made.id, 9)).rejects.toMatchObject({ status: 404, code: 'version_not_found' });

    for (const path of ['', '/versions', '/versions/1', '/samples']) {
      expectError(await otherAccount.get(`/v1/templates/${made.id}${path}`), 404, 'template_not_found');
    }
    expect((await test.delete(`/v1/templates/${made.id}`)).json()).toEqual({ id: made.id, deleted: true });
    const error: unknown = await client.templates.get(made.id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'template_not_found', requestId: expect.any(String) });
  });

  it('generate with the newest, a requested or the published version of any size', async () => {
    const large = `<p>first {{name}}</p><!-- ${'Zażółć '.repeat(50_000)} -->`;
    const { id } = await live.createTemplate({ html: large });
    await live.patch(`/v1/templates/${id}`, { html: '<p>second</p>' });
    const text = async (more = {}) => textOf(await live.document(id, { name: 'Ada' }, more));
    expect([await text(), await text({ version: 1 })]).toEqual(['second', 'first Ada']);
    await client.templates.publish(id, 1);
    expect([await text(), await text({ version: 2 })]).toEqual(['first Ada', 'second']);
    expectError(await live.post('/v1/generate', { template_id: id, data: {}, version: 3 }), 422);
  });
});
