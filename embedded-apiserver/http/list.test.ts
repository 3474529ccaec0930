import { TEMPLATE, type Template } from '@trifold/crds';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPlane, templateDraft, type TestPlane } from '../testing/plane.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

describe('List request', () => {
  let test: TestPlane;
  let templates: ResourceClient<Template>;
  const names = (items: readonly Template[]) => items.map((item) => item.metadata.name);

  beforeEach(async () => {
    test = await openTestPlane();
    templates = test.client.resource(TEMPLATE);
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await templates.create(templateDraft(name, { labels: { odd: String('ace'.includes(name)) } }));
  });
  afterEach(() => test.plane.close());

  it('returns one state of the server across pages, even with writes between the pages', async () => {
    const first = await templates.list({ limit: 2 });
    expect(names(first.items)).toEqual(['a', 'b']);
    expect(first.remainingItemCount).toBe(3);
    await templates.delete('default', 'c');
    await templates.create(templateDraft('bb'));
    await templates.patch({ namespace: 'default', name: 'd' }, { spec: { displayName: 'changed' } });
    const second = await templates.list({ limit: 2, continue: first.continue! });
    expect(names(second.items)).toEqual(['c', 'd']);
    expect(second.items[1]?.spec.displayName).toBe('A template');
    expect(second.resourceVersion).toBe(first.resourceVersion);
    const last = await templates.list({ limit: 2, continue: second.continue! });
    expect(names(last.items)).toEqual(['e']);
    expect(last.continue).toBeUndefined();
  });

  it('returns no further page when the limit equals the number of objects', async () => {
    expect((await templates.list({ limit: 5 })).continue).toBeUndefined();
    expect((await templates.list({ limit: 4 })).continue).toBeDefined();
  });

  it('fills its pages with objects that match the selector', async () => {
    const first = await templates.list({ limit: 2, labelSelector: 'odd=true' });
    expect(names(first.items)).toEqual(['a', 'c']);
    expect(first.remainingItemCount).toBeUndefined();
    const second = await templates.list({ limit: 2, labelSelector: 'odd=true', continue: first.continue! });
    expect(names(second.items)).toEqual(['e']);
  });

  it('finds a single object by name', async () => {
    expect(
      names((await templates.list({ namespace: 'default', fieldSelector: 'metadata.name=c' })).items),
    ).toEqual(['c']);
    expect(names((await templates.list({ fieldSelector: 'metadata.name=c' })).items)).toEqual(['c']);
    expect((await templates.list({ namespace: 'other', fieldSelector: 'metadata.name=c' })).items).toEqual(
      [],
    );
    expect((await templates.list({ namespace: 'default', fieldSelector: 'metadata.name=' })).items).toEqual(
      [],
    );
  });

  it('streams many objects in chunks that form one document, in order', async () => {
    const many = Array.from({ length: 350 }, (_, index) => `m-${String(index).padStart(3, '0')}`);
    for (const name of many) await templates.create(templateDraft(name));
    const response = await test.plane.transport.send({ method: 'GET', path: templates.path() });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(3);
    const list = JSON.parse(Buffer.concat(pieces).toString()) as { items: Template[] };
    expect(names(list.items)).toEqual(['a', 'b', 'c', 'd', 'e', ...many]);
  });

  it('returns the state of a retained version, and rejects a future version', async () => {
    const { resourceVersion } = await templates.list();
    await templates.delete('default', 'a');
    const query = { resourceVersion, resourceVersionMatch: 'Exact' };
    const { body } = await test.call({ method: 'GET', path: templates.path(), query });
    expect(names((body as { items: Template[] }).items)).toEqual(['a', 'b', 'c', 'd', 'e']);
    await expect(templates.list({ resourceVersion: '9999' })).rejects.toMatchObject({
      code: 504,
      retryable: true,
    });
  });

  it('rejects a token older than the history with 410', async () => {
    const first = await templates.list({ limit: 2 });
    await templates.create(templateDraft('f'));
    for (let half = 0; half < 12; half += 1) test.clock.advance(30_000);
    const call = () =>
      test.call({ method: 'GET', path: templates.path(), query: { limit: '9', continue: first.continue! } });
    await eventually(async () => expect((await call()).status).toBe(410));
    expect((await call()).body).toMatchObject({ reason: 'Expired' });
  });

  it('rejects a forged token with 400', async () => {
    for (const token of ['x', 'e30', Buffer.from('{"v":"meta.k8s.io/v1","rv":"1"}').toString('base64url')]) {
      const error = await templates.list({ limit: 2, continue: token }).catch((caught: unknown) => caught);
      expect(isApiError(error, 'BadRequest')).toBe(true);
    }
  });

  it('never returns objects of another kind for a token of that kind', async () => {
    const rv = Number((await templates.list()).resourceVersion);
    const token = { v: 'meta.k8s.io/v1', rv, start: '../../core/secrets/' };
    const start = Buffer.from(JSON.stringify(token)).toString('base64url');
    const { items } = await templates.list({ limit: 50, continue: start });
    expect(items.every((item) => item.metadata.name.length === 1)).toBe(true);
  });

  it('returns a table with the columns of the kind and one row per object', async () => {
    const { body } = await test.call({
      method: 'GET',
      path: templates.path('default'),
      query: { limit: '1' },
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
    });
    expect(body).toMatchObject({
      kind: 'Table',
      columnDefinitions: expect.arrayContaining([
        expect.objectContaining({ name: 'Display Name' }),
      ]) as unknown,
      rows: [
        {
          cells: ['a', 'A template', 'active', 1, null, null, '0s', null],
          object: { kind: 'PartialObjectMetadata' },
        },
      ],
      metadata: { remainingItemCount: 4 },
    });
  });
});
