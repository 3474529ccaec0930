import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConflictError, NotFoundError } from '@trifold/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { diff, pull, push } from '../../standalone/command/templates/templates.ts';
import { expectError } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { testDirectory } from '../support/files/test-directory.ts';
import {
  clientWith,
  live,
  newAccount,
  otherAccount,
  test,
  typescriptClient,
  url,
} from './service-under-test.ts';

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

  it('are pulled into folders and pushed from them with trifold', async () => {
    const { key } = await clientWith({ account: newAccount() });
    vi.stubEnv('TRIFOLD_KEY', String(key));
    onTestFinished(() => void vi.unstubAllEnvs());
    const [directory, other] = [testDirectory(), testDirectory()];
    const manifest = path.join(directory, 'a/template.json');
    const version = async () => (JSON.parse(await readFile(manifest, 'utf8')) as { version: number }).version;
    const command = { directory, url, wanted: [] };
    await mkdir(path.join(directory, 'a/samples'), { recursive: true });
    const files = {
      'template.html': '<p>{{n}}</p>',
      'options.json': '{"margins": "10mm"}',
      'samples/Small.json': '{"n": 12345678901234567890}',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, 'a', name), text);

    const { key: narrow } = await clientWith({ account: newAccount(), scopes: ['usage:read'] });
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    for (const [wrongKey, service, remedy] of [
      [`${String(key).slice(0, -3)}AAA`, url, 'create a new key'],
      [narrow, url, 'Use a key that has the templates:read scope'],
      [key, 'http://127.0.0.1:1', 'Check that the service is running at the URL'],
    ] as const) {
      vi.stubEnv('TRIFOLD_KEY', String(wrongKey));
      expect(await push({ ...command, url: service })).toBe(1);
      expect(stderr).toHaveBeenLastCalledWith(expect.stringContaining(remedy));
    }
    stderr.mockRestore();
    vi.stubEnv('TRIFOLD_KEY', String(key));

    // Without an ID, it is found by its name.
    for (const step of [1, 1]) {
      expect(await push(command)).toBe(0);
      expect(await version()).toBe(step);
      await writeFile(manifest, '{"name": "a"}');
    }
    expect(await push(command)).toBe(0);
    await writeFile(path.join(directory, 'a/style.css'), 'p { color: red }');
    expect([await push({ ...command, dryRun: true }), await version(), await diff(command)]).toEqual([
      0, 1, 1,
    ]);
    expect([await push(command), await version(), await diff(command)]).toEqual([0, 2, 0]);

    expect(await pull({ ...command, directory: other })).toBe(0);
    expect(await readFile(path.join(other, 'a/samples/Small.json'), 'utf8')).toContain(
      '12345678901234567890',
    );
    await writeFile(path.join(other, 'a/template.html'), 'newer');
    expect(await push({ ...command, directory: other })).toBe(0);
    await writeFile(path.join(directory, 'a/template.html'), 'mine {{');
    expect([await push(command), await version()]).toEqual([1, 2]);
    expect(await push({ ...command, force: true })).toBe(1);
    await writeFile(path.join(directory, 'a/template.html'), 'mine');
    expect([await push({ ...command, force: true }), await version(), await diff(command)]).toEqual([
      0, 4, 0,
    ]);
  });
});
