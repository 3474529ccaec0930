import { beforeEach, describe, expect, it } from 'vitest';
import { KubernetesApiError } from './api-error.ts';
import { METADATA_FORM, ResourceClient } from './client.ts';
import {
  responseOf,
  jsonResponse,
  statusResponse,
  THING,
  thingOf,
  type Thing,
} from '../testing/model-api.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from './transport.ts';

let requests: ApiRequest[];
let response: () => ApiResponse | Promise<ApiResponse>;

const transport: ApiTransport = {
  async send(request) {
    requests.push(request);
    return response();
  },
};
const things = new ResourceClient<Thing>(transport, THING);

const thing = thingOf('a', { text: 'x' });

beforeEach(() => {
  requests = [];
  response = () => jsonResponse(200, thing);
});

async function failureOf(promise: Promise<unknown>): Promise<KubernetesApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KubernetesApiError);
  return error as KubernetesApiError;
}

describe('ResourceClient requests', () => {
  const base = '/apis/test.example/v1';

  it('address objects by namespace and name, and collections in one namespace or all', async () => {
    await things.get('default', 'a');
    response = () => jsonResponse(200, { metadata: { resourceVersion: '9', continue: 'more' }, items: [] });
    const page = await things.list({ namespace: 'default', limit: 5, labelSelector: 'a=b' });
    await things.list();
    expect(requests.map(({ method, path, query }) => [method, path, query])).toEqual([
      ['GET', `${base}/namespaces/default/things/a`, undefined],
      ['GET', `${base}/namespaces/default/things`, { labelSelector: 'a=b', limit: '5' }],
      ['GET', `${base}/things`, {}],
    ]);
    expect(page).toMatchObject({ resourceVersion: '9', continue: 'more' });
  });

  it('read all pages of a list, each when its objects are needed', async () => {
    const page = (name: string, token?: string) => () => {
      const metadata = { resourceVersion: '9', ...(token !== undefined && { continue: token }) };
      return jsonResponse(200, { metadata, items: [{ ...thing, metadata: { ...thing.metadata, name } }] });
    };
    const pages = [page('a', 'second'), page('b', 'third'), page('c')];
    response = () => pages[requests.length - 1]!();
    const read: string[] = [];
    for await (const { metadata } of things.listAll({ namespace: 'default', limit: 1, fieldSelector: 'x!=' }))
      read.push(`${metadata.name} ${requests.length}`);
    expect(read).toEqual(['a 1', 'b 2', 'c 3']);
    const query = { fieldSelector: 'x!=', limit: '1' };
    const tokens = [{}, { continue: 'second' }, { continue: 'third' }];
    expect(requests.map((request) => request.query)).toEqual(tokens.map((token) => ({ ...query, ...token })));
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set([`${base}/namespaces/default/things`]));
  });

  it('fill in apiVersion and kind, on create and for the items of a list', async () => {
    await things.create({ metadata: { name: 'a', namespace: 'default' }, spec: { text: 'x' } });
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      apiVersion: 'test.example/v1',
      kind: 'Thing',
    });
    const { metadata, spec } = thing;
    response = () => jsonResponse(200, { metadata: { resourceVersion: '9' }, items: [{ metadata, spec }] });
    expect((await things.list()).items).toEqual([thing]);
    // A real API server responds like this to a metadata-only request.
    response = () => jsonResponse(200, { metadata: { resourceVersion: '7' }, items: null });
    expect((await things.list()).items).toEqual([]);
  });

  it('send merge patches for the object or its status', async () => {
    await things.patch({ namespace: 'default', name: 'a' }, { spec: { text: 'y' } });
    await things.patchStatus({ namespace: 'default', name: 'a' }, { status: {} });
    expect(requests.map(({ method, path, headers }) => [method, path, headers?.['content-type']])).toEqual([
      ['PATCH', `${base}/namespaces/default/things/a`, 'application/merge-patch+json'],
      ['PATCH', `${base}/namespaces/default/things/a/status`, 'application/merge-patch+json'],
    ]);
  });

  it('request only the metadata of an object whose other parts are known', async () => {
    const metadata = { ...thing.metadata, resourceVersion: '8' };
    response = () =>
      jsonResponse(200, { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
    const draft = { metadata: { name: 'a', namespace: 'default' }, spec: { text: 'x' } };
    expect(await things.createAsSent(draft)).toEqual({ ...thing, metadata });
    const changed = { ...thing, status: { text: 'y' } };
    expect(await things.replaceStatus(changed)).toEqual({ ...changed, metadata });
    const accepted = requests.map(({ headers }) => headers?.['accept']);
    expect(accepted).toEqual([METADATA_FORM, METADATA_FORM]);
  });

  it('read only metadata on request', async () => {
    const names = things.metadataOnly();
    const { metadata } = thing;
    response = () =>
      jsonResponse(200, { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
    const named = { apiVersion: 'test.example/v1', kind: 'Thing', metadata };
    expect(await names.find('default', 'a')).toEqual(named);
    await names.watch({}, {}, new AbortController().signal);
    response = () => jsonResponse(200, { metadata: { resourceVersion: '9' }, items: [{ metadata }] });
    await names.list();
    const accepted = requests.map(({ headers }) => headers?.['accept']);
    expect(accepted).toEqual([METADATA_FORM, METADATA_FORM, `${METADATA_FORM}List`]);
  });

  it('delete exactly the given object, unless it is gone or replaced', async () => {
    expect(await things.deleteExactly(thing)).toBe(true);
    await things.delete('default', 'a');
    const bodies = requests.map(({ body }) => JSON.parse(body ?? '') as object);
    const { uid } = thing.metadata;
    expect(bodies[0]).toMatchObject({ kind: 'DeleteOptions', preconditions: { uid } });
    expect(bodies[1]).not.toHaveProperty('preconditions');
    for (const code of [404, 409]) {
      response = () => statusResponse(code, 'Gone');
      expect(await things.deleteExactly(thing)).toBe(false);
    }
    response = () => statusResponse(403, 'Forbidden');
    expect(await failureOf(things.deleteExactly(thing))).toMatchObject({ code: 403 });
  });
});

describe('ResourceClient errors', () => {
  it('carry the Status from the server', async () => {
    response = () => statusResponse(409, 'Conflict', 'the object has been modified');
    const error = await failureOf(things.replace(thing));
    expect(error).toMatchObject({ code: 409, reason: 'Conflict', message: 'the object has been modified' });
    expect(error.retryable).toBe(false);
  });

  it('carry the delay from the Retry-After header or the Status', async () => {
    response = () => statusResponse(429, 'TooManyRequests', 'slow down', { 'retry-after': '7' });
    expect((await failureOf(things.get('default', 'a'))).retryAfterMs).toBe(7000);
    response = () =>
      jsonResponse(503, { kind: 'Status', code: 503, message: 'busy', details: { retryAfterSeconds: 3 } });
    expect((await failureOf(things.get('default', 'a'))).retryAfterMs).toBe(3000);
    response = () => statusResponse(503, 'Busy', 'busy', { 'retry-after': 'Sat, 21 Nov 2026 12:00:00 GMT' });
    expect((await failureOf(things.get('default', 'a'))).retryAfterMs).toBeUndefined();
  });

  it('carry only the HTTP status if the error body is not a Status', async () => {
    response = () => responseOf(502, '<html>bad gateway</html>', { 'content-type': 'text/html' });
    const error = await failureOf(things.get('default', 'a'));
    expect(error).toMatchObject({ code: 502, message: 'the API server returned 502' });
    expect(error.retryable).toBe(true);
  });

  it.each([
    ['an HTML page', '<html>please log in</html>'],
    ['empty', ''],
    ['a JSON string', '"hello"'],
    ['null', 'null'],
  ])('report an unreachable server if a success body is %s, without quoting it', async (_, body) => {
    response = () => responseOf(200, body, {});
    const error = await failureOf(things.get('default', 'a'));
    expect(error).toMatchObject({ code: 0, reason: 'NotAnApiServer', retryable: true });
    expect(error.message).not.toContain('log in');
  });

  it.each([
    ['no items', { metadata: { resourceVersion: '9' } }],
    ['no version', { metadata: {}, items: [] }],
    ['no metadata', { items: [] }],
  ])('report an unreachable server if a list has %s', async (_, body) => {
    response = () => jsonResponse(200, body);
    expect((await failureOf(things.list())).reason).toBe('NotAnApiServer');
  });

  it('report an unreachable server if the response is missing or truncated', async () => {
    response = () => Promise.reject(new Error('connect ECONNREFUSED'));
    expect(await failureOf(things.get('default', 'a'))).toMatchObject({ code: 0, reason: 'Unreachable' });
    async function* broken() {
      yield Buffer.from('{"kind":');
      throw new Error('aborted');
    }
    response = () => ({ status: 200, headers: {}, body: broken() });
    expect(await failureOf(things.get('default', 'a'))).toMatchObject({ code: 0, reason: 'Unreachable' });
  });

  it("are the signal's reason after an abort", async () => {
    const aborting = new AbortController();
    response = () => {
      aborting.abort(new Error('not needed any more'));
      return Promise.reject(new Error('aborted'));
    };
    await expect(things.get('default', 'a', aborting.signal)).rejects.toThrow('not needed any more');
  });

  it('are thrown by find, except for a missing object, for which it returns undefined', async () => {
    response = () => statusResponse(404, 'NotFound');
    expect(await things.find('default', 'a')).toBeUndefined();
    response = () => statusResponse(403, 'Forbidden');
    expect((await failureOf(things.find('default', 'a'))).code).toBe(403);
  });
});
