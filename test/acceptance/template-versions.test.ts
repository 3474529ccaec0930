import { TEMPLATE, type Template } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { describe, expect, inject, it } from 'vitest';
import { expectError, type TemplateAnswer } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { account, live, otherAccount, sibling } from './service-under-test.ts';

interface Versions {
  readonly data: { version: number; created_at: string; change: string; by: string }[];
  readonly pagination: { has_more: boolean; next_cursor: string | null; total_count: number };
}

const versions = async (id: string, query = '') =>
  (await live.get(`/v1/templates/${id}/versions${query}`)).json<Versions>();
const version = async (id: string, number: number) => live.get(`/v1/templates/${id}/versions/${number}`);
const restore = async (id: string, number: number) =>
  live.send('POST', `/v1/templates/${id}/versions/${number}/restore`);
const change = async (id: string, body: object) => {
  const answer = await live.patch(`/v1/templates/${id}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<TemplateAnswer>();
};

describe('Versions of a template', () => {
  it('are listed newest first, with their origin', async () => {
    const created = await live.createTemplate();
    const updated = await change(created.id, { name: 'Second' });
    const { data, pagination } = await versions(created.id);
    expect(data).toEqual([
      { version: 2, created_at: updated.updated_at, change: 'updated', by: 'key' },
      { version: 1, created_at: created.created_at, change: 'created', by: 'key' },
    ]);
    expect(pagination).toEqual({ has_more: false, next_cursor: null, total_count: 2 });
  });

  it('can be read as they were, also with large html', async () => {
    const html = `<p>${'Zażółć gęślą jaźń. '.repeat(20_000)}</p>`;
    const first = await live.createTemplate({ html, css: 'p {}', email: { subject: 'Hi' } });
    const second = await change(first.id, { html: '<p>short</p>', css: null, status: 'draft', email: null });
    expect((await version(first.id, 1)).json()).toEqual(first);
    expect((await version(first.id, 2)).json()).toEqual(second);
    expectError(await version(first.id, 3), 404);
  });

  it('are restored as a new version, which generates', async () => {
    const { id } = await live.createTemplate({ html: '<p>first</p>', description: 'One' });
    await change(id, { html: '<p>second</p>', description: null, status: 'archived' });
    const answer = await restore(id, 1);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toMatchObject({
      version: 3,
      html: '<p>first</p>',
      description: 'One',
      status: 'active',
    });
    expect(await textOf(await live.document(id))).toBe('first');
    expect((await versions(id)).data[0]).toMatchObject({ version: 3, change: 'restored', by: 'key' });
  });

  it('generate documents and batches', async () => {
    const { id } = await live.createTemplate({ html: '<p>first {{name}}</p>' });
    await change(id, { html: '<p>second</p>' });
    const data = { name: 'Ada' };
    expect(await textOf(await live.document(id, data, { version: 1 }))).toBe('first Ada');
    expect(await textOf(await live.document(id, data, { version: 2 }))).toBe('second');
    expect(await textOf(await live.document(id, data))).toBe('second');
    expectError(await live.post('/v1/generate', { template_id: id, data, version: 3 }), 422);

    const batch = { template_id: id, format: 'pdf', items: [{ data }] };
    expectError(await live.post('/v1/generate/batch', { ...batch, version: 3 }), 422);
    const accepted = await live.post('/v1/generate/batch', { ...batch, version: 1 });
    expect(accepted.status, accepted.text).toBe(202);
    const path = `/v1/generate/batch/${accepted.json<{ id: string }>().id}`;
    await eventually(async () => (await live.get(path)).json<{ status: string }>().status === 'completed');
    expect(await textOf((await live.get(`${path}/items/0/download`)).bytes)).toBe('first Ada');
  });

  it('are shown to every key of the account and to no other', async () => {
    const { id } = await live.createTemplate();
    const path = `/v1/templates/${id}/versions`;
    expect((await sibling.get(path)).status).toBe(200);
    expectError(await otherAccount.get(path), 404);
    expectError(await otherAccount.get(`${path}/1`), 404);
    expectError(await otherAccount.send('POST', `${path}/1/restore`), 404);
  });

  it('are limited to the newest 100', async () => {
    const { id } = await live.createTemplate();
    for (let number = 2; number <= 103; number += 1) await change(id, { description: `${number}` });
    const { data } = await eventually(async () => {
      const page = await versions(id, '?limit=100');
      return page.pagination.total_count === 100 && page;
    });
    expect(data.map((entry) => entry.version)).toEqual(Array.from({ length: 100 }, (_, i) => 103 - i));
    expectError(await version(id, 3), 404);
    expect((await version(id, 4)).json()).toMatchObject({ description: '4' });
  });

  it('include those that kubectl writes', async () => {
    const transport = new HttpTransport(loadKubeConfig({ kubeconfig: inject('service').kubeconfig }));
    const templates = new KubernetesClient(transport).resource<Template>(TEMPLATE);
    const { id } = await live.createTemplate();
    await templates.patch({ namespace: account, name: id }, { spec: { html: '<p>by hand</p>' } });
    transport.close();
    const { data } = await eventually(async () => {
      const page = await versions(id);
      return page.data.length === 2 && page;
    });
    expect(data).toMatchObject([
      { version: 2, change: 'updated', by: 'kubectl' },
      { version: 1, change: 'created', by: 'key' },
    ]);
    expect((await version(id, 2)).json()).toMatchObject({ html: '<p>by hand</p>' });
    expect((await restore(id, 1)).json()).toMatchObject({ html: '<p>Hello {{name}}</p>', version: 3 });
  });
});

describe('A published version', () => {
  const publish = async (id: string, number: number | null) =>
    live.post(`/v1/templates/${id}/publish`, { version: number });

  it('is used by requests that name none, until it is withdrawn', async () => {
    const created = await live.createTemplate({ html: '<p>first</p>' });
    const { id } = created;
    const published = await publish(id, 1);
    expect(published.status, published.text).toBe(200);
    expect(published.json()).toEqual({ ...created, published_version: 1 });
    expect(await change(id, { html: '<p>second</p>' })).toMatchObject({ version: 2, published_version: 1 });
    const { data } = (await live.get('/v1/templates?limit=100')).json<{ data: { id: string }[] }>();
    expect(data.find((entry) => entry.id === id)).toMatchObject({ version: 2, published_version: 1 });
    expect(await textOf(await live.document(id))).toBe('first');
    expect(await textOf(await live.document(id, {}, { version: 2 }))).toBe('second');
    const withdrawn = await publish(id, null);
    expect(withdrawn.json()).not.toHaveProperty('published_version');
    expect(await textOf(await live.document(id))).toBe('second');
  });

  it('must be stored', async () => {
    const { id } = await live.createTemplate();
    expectError(await publish(id, 2), 422);
    expectError(await otherAccount.post(`/v1/templates/${id}/publish`, { version: 1 }), 404);
  });
});

describe('PATCH /v1/templates/:id with If-Match', () => {
  const update = async (id: string, ifMatch: string, body: object) =>
    live.send('PATCH', `/v1/templates/${id}`, { body, headers: { 'if-match': ifMatch } });

  it('changes the template only while it has that version', async () => {
    const { id } = await live.createTemplate();
    const first = await update(id, '"1"', { name: 'First' });
    expect(first.status, first.text).toBe(200);
    expect(first.json()).toMatchObject({ name: 'First', version: 2 });
    const late = expectError(await update(id, '"1"', { name: 'Late' }), 412);
    expect(late.message).toContain('version 2');
    expect((await live.get(`/v1/templates/${id}`)).json()).toEqual(first.json());
  });

  it('lets one of many concurrent changes of a version succeed', async () => {
    const { id } = await live.createTemplate();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update(id, '"1"', { description: `${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(9);
    expect((await live.get(`/v1/templates/${id}`)).json()).toMatchObject({ version: 2 });
  });
});
