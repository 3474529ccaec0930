import { TEMPLATE, type Template } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestPlane, templateDraft, type TestPlane } from '../testing/plane.ts';
import { WatchReader } from '../testing/watch-reader.ts';
import { RevisionTable } from './revision-table.ts';

let test: TestPlane;
let templates: ResourceClient<Template>;

beforeEach(async () => {
  test = await openTestPlane();
  templates = test.client.resource(TEMPLATE);
});
afterEach(() => test.plane.close());

const at = (name: string) => ({ namespace: 'default', name });
const labelled = (value: string | null) => ({ metadata: { labels: { team: value } } });

it('reports objects as they start and stop matching a selector', async () => {
  const { resourceVersion } = await templates.create(templateDraft('a')).then(({ metadata }) => metadata);
  const selected = { resourceVersion, labelSelector: 'team=red' };
  const live = await test.watchTemplates(selected);
  const first = live.next();
  await templates.patch(at('a'), labelled('blue'));
  await templates.patch(at('a'), labelled('red'));
  await templates.patch(at('a'), { spec: { displayName: 'B' } });
  const last = await templates.patch(at('a'), labelled('blue'));
  await templates.delete('default', 'a');
  const replayed = await (await test.watchTemplates(selected)).take(3);
  const events = [await first, ...(await live.take(2))];
  expect(events.map((event) => event?.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  expect(events[2]?.object.metadata).toMatchObject({
    labels: { team: 'red' },
    resourceVersion: last.metadata.resourceVersion,
  });
  expect(replayed).toEqual(events);
});

it('neither misses nor repeats an event during many writes, even for a slow reader', async () => {
  const { resourceVersion } = await templates.create(templateDraft('a')).then(({ metadata }) => metadata);
  const watch = await test.watchTemplates({ resourceVersion });
  const first = watch.next();
  const writes = 3000;
  for (let value = 0; value < writes; value += 1)
    await templates.patch(at('a'), { spec: { description: `change ${value}` } });
  const events = [await first, ...(await watch.take(writes - 1))];
  expect(events.map((event) => event?.object['spec'])).toEqual(
    Array.from({ length: writes }, (_, value) => expect.objectContaining({ description: `change ${value}` })),
  );
});

it('joins history and live events without a gap if writes continue during the replay', async () => {
  for (let index = 0; index < 450; index += 1) await templates.create(templateDraft(`old-${index}`));
  const watch = await test.watchTemplates({ resourceVersion: '1' });
  const writing = (async () => {
    for (let index = 0; index < 300; index += 1) await templates.create(templateDraft(`new-${index}`));
  })();
  const events = await watch.take(750);
  await writing;
  const versions = events.map((event) => Number(event.object.metadata.resourceVersion));
  expect(versions).toEqual(versions.toSorted((left, right) => left - right));
  expect(new Set(events.map((event) => event.object.metadata.name)).size).toBe(750);
});

const tableOf = (object: object) => ({ rows: [{ object }] });
it.each([
  ['objects', undefined, (object: object) => object],
  ['tables', 'application/json;as=Table;v=v1;g=meta.k8s.io', tableOf],
])('ends the slowest watch of %s with 410 when unread events exceed the total', async (_, accept, shown) => {
  const html = 'x'.repeat(400_000);
  await templates.create(templateDraft('a', {}, { html }));
  const streams = Array.from(
    { length: Math.ceil(BOUNDS.unreadResponses.total.value / html.length) + 1 },
    () =>
      test.plane.transport.send({
        method: 'GET',
        path: templates.path(),
        query: { watch: 'true', includeObject: 'Object' },
        ...(accept && { headers: { accept } }),
      }),
  );
  const readers = (await Promise.all(streams)).map(({ body }) => body[Symbol.asyncIterator]());
  const chunks = await Promise.all(readers.map((reader) => reader.next()));
  expect(Math.max(...chunks.map(({ value }) => (value as Uint8Array).length))).toBe(
    BOUNDS.unreadResponses.limit.value,
  );
  const rest = async (index: number) => {
    const body = joined(chunks[index], readers[index]);
    const watch = new WatchReader({ status: 200, headers: {}, body });
    return [await watch.next(), await watch.next()];
  };
  await templates.patch(at('a'), { spec: { html: 'y' } });
  const [slowest, newest] = await Promise.all([rest(0), rest(readers.length - 1)]);
  expect(slowest).toMatchObject([
    { type: 'ADDED', object: shown({ spec: { html } }) },
    { type: 'ERROR', object: { code: 410, reason: 'Expired' } },
  ]);
  expect(newest).toMatchObject([
    { type: 'ADDED', object: shown({ spec: { html } }) },
    { type: 'MODIFIED', object: shown({ spec: { html: 'y' } }) },
  ]);
  for (const reader of readers) await reader.return?.();
});

it.each<[string, object, ('before' | 'change')[]]>([
  ['nothing, if it is recent', {}, []],
  ['the states that its selector needs', { labelSelector: 'team!=red' }, ['change', 'before']],
])('reads from the table for a past event: %s', async (_, selector, expected) => {
  const before = await templates.create(templateDraft('a', {}, { html: 'x'.repeat(100_000) }));
  const change = await templates.patch(at('a'), labelled('blue'));
  const read = vi.spyOn(RevisionTable.prototype, 'value');
  const { resourceVersion } = before.metadata;
  await (await test.watchTemplates({ resourceVersion, ...selector })).take(1);
  const versions = { before: Number(resourceVersion), change: Number(change.metadata.resourceVersion) };
  const revisions = read.mock.calls.map(([revision]) => revision);
  expect(new Set(revisions)).toEqual(new Set(expected.map((version) => versions[version])));
  read.mockRestore();
});

it('sends an idle client a bookmark with the server-wide version within 30 seconds', async () => {
  const watch = await test.watchTemplates({ resourceVersion: '1', allowWatchBookmarks: 'true' });
  const next = watch.next();
  await test.client
    .builtin({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false })
    .create({ metadata: { name: 'other' } });
  test.clock.advance(30_000);
  expect(await next).toMatchObject({
    type: 'BOOKMARK',
    object: { kind: 'Template', apiVersion: 'trifold.dev/v1alpha1', metadata: { resourceVersion: '2' } },
  });
});

async function* joined(
  first: IteratorResult<Uint8Array> | undefined,
  rest: AsyncIterator<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  let next = first;
  while (next?.done === false) {
    yield next.value;
    next = await rest?.next();
  }
}
