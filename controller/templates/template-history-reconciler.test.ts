import { CHANGE_ANNOTATION, PUBLISHED_ANNOTATION, templateHistoryPrefix, type Template } from '@trifold/crds';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { keepSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aTemplate, NOON } from '../testing/objects.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { TemplateHistoryReconciler } from './template-history-reconciler.ts';

const AT = { namespace: 'acme', name: 'invoice' };
const CHANGED = '2026-11-20T08:00:00Z';
const { uid } = aTemplate().metadata;
let store: ObjectStore;
let clock: FakeClock;
let cached: Template | undefined;
/** The template on the API server. */
let current: Template | undefined;
let reconciler: TemplateHistoryReconciler;
let history: TemplateHistory;
beforeEach(() => {
  store = temporaryStore();
  current = undefined;
  clock = new FakeClock(NOON);
  history = new TemplateHistory(store);
  reconciler = new TemplateHistoryReconciler({
    templates: { find: async () => current, replaceStatus: async (template) => (current = template) },
    cache: { get: () => cached },
    store,
    clock,
    keptVersions: 3,
  });
});

const atGeneration = (generation: number, spec: Partial<Template['spec']> = {}, change?: string) =>
  aTemplate({
    metadata: { generation, ...(change !== undefined && { annotations: { [CHANGE_ANNOTATION]: change } }) },
    spec,
  });
async function seen(template: Template): Promise<void> {
  const { status } = current ?? {};
  current = { ...template, ...(status && { status }) };
  await seenByCache(template);
}
async function seenByCache(template: Template): Promise<void> {
  cached = template;
  await reconciler.reconcile(AT, new AbortController().signal);
}
const versions = () => history.versions('acme', uid);
const describeVersion = (version: number) => history.describe('acme', uid, version);

describe('The template history', () => {
  it('stores a version written with kubectl, with the time at which it was detected', async () => {
    await seen(atGeneration(1));
    clock.advance(5_000);
    await seen(atGeneration(2, { html: '<p>two</p>', css: 'p {}', description: 'Second' }));
    expect(await describeVersion(1)).toMatchObject({ change: 'created', by: 'kubectl' });
    const createdAt = clock.now();
    expect(await describeVersion(2)).toEqual({ version: 2, createdAt, change: 'updated', by: 'kubectl' });
    expect(await history.read('acme', uid, 2)).toMatchObject({
      template: { metadata: { name: 'invoice', generation: 2 }, spec: { description: 'Second' } },
      source: { html: '<p>two</p>', css: 'p {}' },
    });
  });

  it.each([
    ['a write of the gateway that failed to store it', '4 restored', 'restored', 'key', CHANGED],
    ['a gateway write at an invalid time', '4 updated', 'updated', 'key', NOON, '2026-11-20T08:00:00+99:99'],
    ['a change by kubectl after one of the gateway', '3 restored', 'updated', 'kubectl', NOON],
    ['an annotation that kubectl wrote', '4 deleted', 'updated', 'kubectl', NOON],
  ])('stores the version of %s', async (_what, annotation, change, by, time, changedAt = CHANGED) => {
    await seen(atGeneration(4, { changedAt }, annotation));
    expect(await describeVersion(4)).toMatchObject({ change, by, createdAt: new Date(time) });
  });

  it('keeps the copy that the gateway stored and reads the store once per version', async () => {
    const stored = atGeneration(4, {}, '4 updated');
    await history.record({ template: stored, source: { html: 'gateway' } }, clock.now());
    const list = vi.spyOn(store, 'list');
    await seen(stored);
    await seen(stored);
    expect(list).toHaveBeenCalledTimes(1);
    expect((await history.read('acme', uid, 4))?.source).toEqual({ html: 'gateway' });
  });

  it('keeps the newest versions, including gaps', async () => {
    for (const generation of [1, 2, 8, 9, 10, 11]) await seen(atGeneration(generation));
    expect(await versions()).toEqual([11, 10, 9]);
  });

  it('keeps the published version until another one is published, then excludes it permanently', async () => {
    const published = (generation: number, version: string) => {
      const template = atGeneration(generation);
      const annotations = { [PUBLISHED_ANNOTATION]: version };
      return seen({ ...template, metadata: { ...template.metadata, annotations } });
    };
    for (const generation of [1, 2, 3]) await seen(atGeneration(generation));
    for (const generation of [4, 5, 6]) await published(generation, '2');
    expect(await versions()).toEqual([6, 5, 4, 2]);
    expect(current?.status?.history).toEqual({ oldest: 4, published: 2 });
    await published(7, '6');
    expect(await versions()).toEqual([7, 6, 5]);
    await published(8, '2');
    expect(current?.status?.history).toEqual({ oldest: 6 });
  });

  it('keeps a version whose publication the cache does not show yet', async () => {
    for (const generation of [1, 2, 3]) await seen(atGeneration(generation));
    const old = atGeneration(4);
    current = { ...old, metadata: { ...old.metadata, annotations: { [PUBLISHED_ANNOTATION]: '1' } } };
    await seenByCache(old);
    expect(await versions()).toEqual([4, 3, 2, 1]);
  });

  it('does not delete a newer version because of a lagging cache', async () => {
    for (const generation of [8, 9, 10]) await seen(atGeneration(generation));
    await seenByCache(atGeneration(7));
    expect(await versions()).toEqual([10, 9, 8]);
  });

  it('copies a large source', async () => {
    const source = { html: `<p>${'x'.repeat(70_000)}</p>` };
    const { html: _html, ...spec } = aTemplate().spec;
    const kept = await keepSource(store, 'acme', source, clock.now());
    await seen({ ...atGeneration(2), spec: { ...spec, ...kept } });
    await store.deletePrefix('sources/');
    const copy = await history.read('acme', uid, 2);
    expect(copy?.source).toEqual(source);
    expect(copy?.template.spec).toEqual(spec);
  });

  it('leaves a gap if the source is missing', async () => {
    const { html: _html, ...spec } = aTemplate().spec;
    const sourceRef = { key: `sources/20261121/acme/${'a'.repeat(64)}`, sha256: 'a'.repeat(64), size: 1 };
    await seen(atGeneration(1));
    await seen({ ...atGeneration(2), spec: { ...spec, sourceRef } });
    await seen(atGeneration(3));
    expect(await versions()).toEqual([3, 1]);
  });

  it('stores nothing for a template that is being deleted', async () => {
    await seen(aTemplate({ metadata: { deletionTimestamp: NOON } }));
    expect((await store.list(templateHistoryPrefix('acme', uid))).objects).toEqual([]);
  });
});
