import type { Template } from '@trifold/crds';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { aTemplate, NOON } from '../testing/objects.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { deleteUnusedHistories } from './unused-template-files.ts';

let store: ObjectStore;
/** Templates on the API server, and templates in the informer's cache. */
let server: Template[];
let cached: Template[];
let listed: string[];
beforeEach(() => {
  store = temporaryStore();
  server = [];
  cached = [];
  listed = [];
});

const collect = () =>
  deleteUnusedHistories({
    store,
    templates: {
      async *listAll({ namespace = '' } = {}) {
        listed.push(namespace);
        yield* server.filter(({ metadata }) => metadata.namespace === namespace);
      },
    },
    cache: { list: () => cached },
  });
const kept = async () => (await store.list('history/')).objects.map(({ key }) => key);

/** Returns a template with two stored versions. */
async function given(namespace: string, uid: string): Promise<Template> {
  const template = aTemplate({ metadata: { namespace, uid, generation: 2 } });
  const history = new TemplateHistory(store);
  for (const generation of [1, 2]) {
    const version = { ...template, metadata: { ...template.metadata, generation } };
    await history.record({ template: version, source: { html: '<p></p>' } }, new Date(NOON));
  }
  return template;
}

describe("Garbage collection of deleted templates' histories", () => {
  it('deletes all versions of a deleted template and no others', async () => {
    const template = await given('acme', 'u-1');
    await given('acme', 'u-2');
    await given('other', 'u-1');
    server = cached = [template];
    expect(await collect()).toBe(4);
    expect(await kept()).toEqual(['history/acme/u-1/1', 'history/acme/u-1/2']);
  });

  it('keeps the history of a template that the cache does not show yet', async () => {
    server = [await given('acme', 'u-1'), await given('acme', 'u-2'), await given('acme', 'u-3')];
    expect(await collect()).toBe(0);
    expect(await kept()).toHaveLength(6);
  });

  it('does not read templates while the cache has all of them', async () => {
    cached = [await given('acme', 'u-1'), await given('other', 'u-2')];
    expect(await collect()).toBe(0);
    expect(listed).toEqual([]);
  });

  it("deletes a former template's history if the template was recreated", async () => {
    await given('acme', 'u-old');
    server = cached = [await given('acme', 'u-new')];
    await collect();
    expect(await kept()).toEqual(['history/acme/u-new/1', 'history/acme/u-new/2']);
  });
});
