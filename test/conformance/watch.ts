import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { JsonObject } from './case.ts';
import { absolutePath, makeNamespace } from './run-case.ts';
import type { ConformanceTarget } from './target.ts';
import { WatchStream, type WatchOptions } from './watch-stream.ts';

/** Tests watches: events, their order, and errors. */
export function describeWatch(target: () => ConformanceTarget): void {
  let namespace: string;
  const streams: WatchStream[] = [];

  beforeEach(async () => {
    namespace = await makeNamespace(target());
  });
  afterEach(() => streams.splice(0).forEach((stream) => stream.close()));

  async function watch(
    query: Record<string, string>,
    more: Partial<WatchOptions> = {},
  ): Promise<WatchStream> {
    const stream = await WatchStream.open(target(), { namespace, query, ...more });
    streams.push(stream);
    return stream;
  }

  const ends = (stream: WatchStream) =>
    eventually(() => {
      target().passSecond?.();
      return stream.ended;
    });

  async function call(method: string, path: string, body?: JsonObject): Promise<WatchResponse> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return (await target().client.json({
      method,
      path: absolutePath(path, namespace),
      ...(body && { headers: { 'content-type': type }, body: JSON.stringify(body) }),
    })) as WatchResponse;
  }

  const create = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}) =>
    call('POST', 'templates', {
      apiVersion: 'trifold.dev/v1alpha1',
      kind: 'Template',
      metadata: { name, ...metadata },
      spec: { displayName: 'Invoice', html: '<p></p>', ...spec },
    });
  const version = async () => (await call('GET', 'templates')).metadata.resourceVersion;

  test('a watch from a version shows every later change once and in order', async () => {
    await create('before');
    const stream = await watch({ resourceVersion: await version() });
    expect(stream.status).toBe(200);
    await create('a');
    await call('PATCH', 'templates/a', { spec: { displayName: 'B' } });
    await call('PATCH', 'templates/a/status', { status: { version: 2 } });
    await create('b');
    await call('DELETE', 'templates/a');
    expect(await stream.seen(5)).toEqual(['ADDED a', 'MODIFIED a', 'MODIFIED a', 'ADDED b', 'DELETED a']);
    const versions = stream.events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(5);
    expect(stream.events[1]?.object).toMatchObject({
      apiVersion: 'trifold.dev/v1alpha1',
      kind: 'Template',
      metadata: { generation: 2, namespace },
      spec: { displayName: 'B' },
    });
    expect(stream.events[2]?.object).toMatchObject({ metadata: { generation: 2 }, status: { version: 2 } });
  });

  test('a watch can start in the past', async () => {
    const from = await version();
    await create('a');
    await create('b');
    await call('DELETE', 'templates/a');
    const stream = await watch({ resourceVersion: from });
    expect(await stream.seen(3)).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
  });

  test('a watch without a version starts with the existing objects', async () => {
    await create('a');
    await create('b');
    const stream = await watch({});
    expect((await stream.seen(2)).sort()).toEqual(['ADDED a', 'ADDED b']);
    await create('c');
    expect((await stream.seen(3))[2]).toBe('ADDED c');
  });

  test('a watch from version 0 also starts with the existing objects', async () => {
    await create('a');
    const stream = await watch({ resourceVersion: '0' });
    expect(await stream.seen(1)).toEqual(['ADDED a']);
  });

  test('a deletion event has the last state of the object and the version of the deletion', async () => {
    const { metadata } = await create('a', { displayName: 'Last' });
    const stream = await watch({ resourceVersion: metadata.resourceVersion });
    await call('DELETE', 'templates/a');
    await stream.seen(1);
    const gone = stream.events[0]?.object;
    expect(gone).toMatchObject({ metadata: { uid: metadata.uid }, spec: { displayName: 'Last' } });
    expect(Number(gone?.metadata.resourceVersion)).toBeGreaterThan(Number(metadata.resourceVersion));
  });

  test('an object with a finalizer is first modified and later deleted', async () => {
    const { metadata } = await create('a', {}, { finalizers: ['trifold.dev/hold'] });
    const stream = await watch({ resourceVersion: metadata.resourceVersion });
    await call('DELETE', 'templates/a');
    await call('PATCH', 'templates/a', { metadata: { finalizers: null } });
    expect(await stream.seen(2)).toEqual(['MODIFIED a', 'DELETED a']);
    expect(stream.events[0]?.object.metadata['deletionTimestamp']).toBeTypeOf('string');
  });

  test('an update without a change does not send an event', async () => {
    const { metadata } = await create('a');
    const stream = await watch({ resourceVersion: metadata.resourceVersion });
    await call('PATCH', 'templates/a', { spec: { displayName: 'Invoice' } });
    await create('b');
    expect(await stream.seen(1)).toEqual(['ADDED b']);
  });

  test('a watch does not show other namespaces or kinds', async () => {
    const from = await version();
    const stream = await watch({ resourceVersion: from });
    const path = '/apis/trifold.dev/v1alpha1/templates';
    const everywhere = await watch({ resourceVersion: from }, { path });
    const here = namespace;
    namespace = await makeNamespace(target());
    await create('elsewhere');
    namespace = here;
    await call('POST', 'generationjobs', {
      apiVersion: 'trifold.dev/v1alpha1',
      kind: 'GenerationJob',
      metadata: { name: 'job' },
      spec: { templateRef: { name: 'a' }, data: {} },
    });
    await create('here');
    expect(await stream.seen(1)).toEqual(['ADDED here']);
    expect(await everywhere.seen(2)).toEqual(['ADDED elsewhere', 'ADDED here']);
  });

  test('an object that starts or stops matching a label selector is added or deleted', async () => {
    await create('a');
    await create('other', {}, { labels: { app: 'y' } });
    const stream = await watch({ resourceVersion: await version(), labelSelector: 'app=x' });
    await call('PATCH', 'templates/a', { metadata: { labels: { app: 'x' } } });
    await call('PATCH', 'templates/a', { spec: { displayName: 'B' } });
    await call('PATCH', 'templates/other', { spec: { displayName: 'B' } });
    await call('PATCH', 'templates/a', { metadata: { labels: { app: null } } });
    await create('b', {}, { labels: { app: 'x' } });
    expect(await stream.seen(4)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
  });

  test('a field selector works the same for a watch and a list', async () => {
    const from = await version();
    const one = await watch({ resourceVersion: from, fieldSelector: 'metadata.name=b' });
    const drafts = await watch({ resourceVersion: from, fieldSelector: 'spec.state=draft' });
    await create('a');
    await create('b', { state: 'draft' });
    await call('PATCH', 'templates/b', { spec: { state: 'active' } });
    expect(await one.seen(2)).toEqual(['ADDED b', 'MODIFIED b']);
    expect(await drafts.seen(2)).toEqual(['ADDED b', 'DELETED b']);
  });

  test('the server ends a watch after timeoutSeconds', async () => {
    const stream = await watch({ resourceVersion: await version(), timeoutSeconds: '1' });
    await ends(stream);
    expect(stream.events.filter(({ type }) => type !== 'BOOKMARK')).toEqual([]);
  });

  test('bookmarks are sent only on request and carry only a version', async () => {
    const from = await version();
    const query = { resourceVersion: from, timeoutSeconds: '3' };
    const asking = { ...query, allowWatchBookmarks: 'true' };
    const [asked, silent] = await Promise.all([watch(asking), watch(query)]);
    const { metadata } = await create('a');
    await Promise.all([ends(asked), ends(silent)]);
    expect(silent.events.map(({ type }) => type)).toEqual(['ADDED']);
    const bookmarks = asked.events.filter(({ type }) => type === 'BOOKMARK');
    expect(bookmarks.length).toBeGreaterThan(0);
    expect(bookmarks.at(-1)?.object).toMatchObject({ kind: 'Template', apiVersion: 'trifold.dev/v1alpha1' });
    const last = Number(bookmarks.at(-1)?.object.metadata.resourceVersion);
    expect(last).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
    expect(bookmarks.at(-1)?.object.metadata.name ?? '').toBe('');
  });

  test('an expired version returns 410 as the status code or as the first event', async () => {
    const from = await version();
    await create('a');
    await call('DELETE', 'templates/a');
    await target().compact();
    const stream = await watch({ resourceVersion: target().forgottenVersion ?? from });
    if (stream.status === 200) {
      await eventually(() => stream.events.length > 0);
      expect(stream.events[0]).toMatchObject({
        type: 'ERROR',
        object: { kind: 'Status', code: 410, reason: 'Expired', status: 'Failure' },
      });
    } else {
      expect(stream.status).toBe(410);
    }
  });

  test('a watch in table form has the columns only once, and one row per event', async () => {
    const stream = await watch(
      { resourceVersion: await version() },
      { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
    );
    await create('a');
    await create('b');
    await eventually(() => stream.events.length >= 2);
    const [first, second] = stream.events.map(({ object }) => object as unknown as Table);
    expect(first).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['a', 'Invoice', 'active', 1, null, null, expect.stringMatching(/^\d+s$/), null] }],
    });
    expect(first?.columnDefinitions.map(({ name }) => name)).toContain('Display Name');
    expect(second).toMatchObject({ kind: 'Table', rows: [{ object: { metadata: { name: 'b' } } }] });
    expect(second?.columnDefinitions ?? []).toEqual([]);
  });

  test('all hundred concurrent changes arrive', async () => {
    const stream = await watch({ resourceVersion: await version() });
    const names = Array.from({ length: 100 }, (_, index) => `t-${index}`);
    await Promise.all(names.map((name) => create(name)));
    expect((await stream.seen(100)).sort()).toEqual(names.map((name) => `ADDED ${name}`).sort());
  });
}

interface WatchResponse {
  metadata: { resourceVersion: string; uid: string };
}

interface Table {
  columnDefinitions: { name: string }[];
}
