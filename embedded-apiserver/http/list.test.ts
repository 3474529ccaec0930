import { TEMPLATE, type Template } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPlane, templateDraft, type TestPlane } from '../testing/plane.ts';

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

  it('never returns objects of another kind for a token of that kind', async () => {
    const rv = Number((await templates.list()).resourceVersion);
    const token = { v: 'meta.k8s.io/v1', rv, start: '../../core/secrets/' };
    const start = Buffer.from(JSON.stringify(token)).toString('base64url');
    const { items } = await templates.list({ limit: 50, continue: start });
    expect(items.every((item) => item.metadata.name.length === 1)).toBe(true);
  });
});
