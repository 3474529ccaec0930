import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../process/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { ResourceClient } from '../client/client.ts';
import { Informer, type InformerOptions } from './informer.ts';
import {
  responseOf,
  jsonResponse,
  ModelApi,
  OpenBody,
  statusResponse,
  statusOf,
  THING,
  thingOf,
  type Thing,
} from '../testing/model-api.ts';
import { formatKey } from '../client/object-key.ts';
import type { ApiResponse } from '../client/transport.ts';

let api: ModelApi;
let clock: FakeClock;
let log: Record<string, unknown>[];
let rings: string[];
const running: Informer<Thing>[] = [];

beforeEach(() => {
  api = new ModelApi();
  clock = new FakeClock();
  log = [];
  rings = [];
});

afterEach(() => Promise.all(running.splice(0).map((informer) => informer.stop())));

function make(options: Partial<InformerOptions<Thing>> = {}): Informer<Thing> {
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) };
  const informer = new Informer<Thing>({
    client: new ResourceClient<Thing>(api, THING),
    clock,
    logger: createLogger({ level: 'debug', name: 'test', destination }),
    random: () => 0,
    ...options,
  });
  informer.onChange(({ namespace, name }) => {
    const object = informer.get(namespace, name);
    rings.push(`${formatKey(namespace, name)}=${object ? object.spec.text : 'gone'}`);
  });
  running.push(informer);
  return informer;
}

/** Starts an informer without waiting until it is synced. */
async function begun(options: Partial<InformerOptions<Thing>> = {}): Promise<Informer<Thing>> {
  const informer = make(options);
  informer.start();
  await settle();
  return informer;
}

async function started(options: Partial<InformerOptions<Thing>> = {}): Promise<Informer<Thing>> {
  const informer = make(options);
  informer.start();
  await informer.synced();
  await settle();
  rings.splice(0);
  return informer;
}

/** Runs everything that is due, so that only the clock or the server can trigger more. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Advances time second by second and runs whatever the timers trigger. */
async function elapse(milliseconds: number): Promise<void> {
  await settle();
  for (let left = milliseconds; left > 0; left -= 1000) {
    clock.advance(Math.min(left, 1000));
    await settle();
  }
}

function texts(informer: Informer<Thing>): Record<string, string> {
  return Object.fromEntries(informer.list().map((thing) => [thing.metadata.name, thing.spec.text]));
}

function truth(): Record<string, string> {
  return Object.fromEntries(api.objects().map((thing) => [thing.metadata.name, thing.spec.text]));
}

function reset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

/** Returns a response that never arrives, even after an abort. */
function never(): Promise<ApiResponse> {
  return new Promise(() => {});
}

describe('Informer', () => {
  it('is synced after the whole list is cached and its listeners are notified', async () => {
    api.put('a', 'one');
    api.put('b', 'two', 'other');
    const informer = make();
    expect(informer.hasSynced).toBe(false);
    expect(informer.confirmedAt).toBeUndefined();
    informer.start();
    await informer.synced();
    expect(informer.hasSynced).toBe(true);
    expect(informer.get('default', 'a')?.spec.text).toBe('one');
    expect(informer.get('default', 'b')).toBeUndefined();
    expect(informer.get('other', 'b')?.spec.text).toBe('two');
    expect(informer.keys()).toEqual([
      { namespace: 'default', name: 'a' },
      { namespace: 'other', name: 'b' },
    ]);
    expect(rings).toEqual(['default/a=one', 'other/b=two']);
  });

  it('lists pages of 500 from one snapshot and watches from its version', async () => {
    for (let index = 0; index < 1203; index += 1) api.put(`t${index}`, 'x');
    const version = api.version;
    expect((await started()).list()).toHaveLength(1203);
    expect(api.listRequests.map(({ query }) => [query?.['limit'], query?.['continue']])).toEqual([
      ['500', undefined],
      ['500', `${version}-500`],
      ['500', `${version}-1000`],
    ]);
    const query = { resourceVersion: String(version), allowWatchBookmarks: 'true', timeoutSeconds: '300' };
    expect(api.watchRequests[0]?.query).toMatchObject(query);
  });

  it('sends its selectors with lists and watches', async () => {
    await started({ selection: { namespace: 'here', labelSelector: 'a=b', fieldSelector: 'spec.x=y' } });
    expect(api.requests).toHaveLength(2);
    for (const request of api.requests) {
      expect(request.path).toBe('/apis/test.example/v1/namespaces/here/things');
      expect(request.query).toMatchObject({ labelSelector: 'a=b', fieldSelector: 'spec.x=y' });
    }
  });

  it('applies the transform to each list page before reading the next, and caches its result', async () => {
    for (const name of ['a', 'b']) api.put(name, 'long text');
    const transformed: string[] = [];
    const transform = ({ spec, ...thing }: Thing) => {
      transformed.push(`${thing.metadata.name} ${api.listRequests.length}`);
      return { ...thing, spec: { text: spec.text.slice(0, 4) } };
    };
    const informer = await started({ transform, pageSize: 1 });
    api.put('c', 'another text');
    await settle();
    expect(transformed.slice(0, 2)).toEqual(['a 1', 'b 2']);
    expect(texts(informer)).toEqual({ a: 'long', b: 'long', c: 'anot' });
  });

  it('removes managedFields and annotations from other tools', async () => {
    const thing = api.put('a', 'one');
    const annotations = { 'trifold.dev/change': '1 created' };
    const others = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'example.com/note': 'long' };
    const managedFields = [{ manager: 'kubectl' }];
    Object.assign(thing.metadata, { managedFields, annotations: { ...annotations, ...others } });
    const informer = await started();
    const { managedFields: _, ...metadata } = { managedFields, ...thing.metadata };
    expect(informer.get('default', 'a')?.metadata).toEqual({ ...metadata, annotations });
  });

  it("notifies its listeners of this process's write once, before its event", async () => {
    const informer = await started();
    const written = api.put('a', 'written');
    informer.mutated(written);
    expect(rings).toEqual(['default/a=written']);
    await settle();
    api.delete('a');
    informer.deleted(written);
    expect(rings).toEqual(['default/a=written', 'default/a=gone']);
    await settle();
    expect(rings).toHaveLength(2);
  });

  it('drops an object on forget until the object changes', async () => {
    api.put('a', 'one');
    api.put('b', 'two');
    const informer = await started();
    informer.forget('default', 'a');
    expect(texts(informer)).toEqual({ b: 'two' });
    api.put('a', 'three');
    await settle();
    expect(texts(informer)).toEqual({ a: 'three', b: 'two' });
    expect(rings).toEqual(['default/a=three']);
  });

  const poisoned = (thing: Thing) => {
    if (thing.spec.text === 'poison') throw new Error('cannot cache this');
    return thing;
  };
  it.each<[string, Partial<InformerOptions<Thing>>]>([
    ['an index function', { indexes: { texts: (thing) => [poisoned(thing).spec.text] } }],
    ['the transform', { transform: poisoned }],
  ])('skips an object while %s throws for it, and reports it', async (_, options) => {
    api.put('good', 'x');
    api.put('bad', 'poison');
    const informer = await started(options);
    expect(texts(informer)).toEqual({ good: 'x' });
    expect(log.filter((line) => line['level'] === 'error')).toMatchObject([{ name: 'bad' }]);
    informer.mutated(api.put('good', 'poison'));
    await settle();
    expect(texts(informer)).toEqual({});
    api.put('good', 'fine again');
    await settle();
    expect(texts(informer)).toEqual({ good: 'fine again' });
    expect(api.listRequests).toHaveLength(1);
  });

  it('calls the other listeners and keeps running if a listener throws', async () => {
    const informer = make();
    informer.onChange(() => {
      throw new Error('listener');
    });
    const heard: string[] = [];
    const unsubscribe = informer.onChange(({ name }) => heard.push(name));
    informer.start();
    await informer.synced();
    api.put('a');
    await settle();
    unsubscribe();
    api.put('b');
    await settle();
    expect(heard).toEqual(['a']);
    expect(informer.list()).toHaveLength(2);
    expect(api.listRequests).toHaveLength(1);
  });
});

describe('An informer with an expired version', () => {
  it('lists again immediately after HTTP 410 on the watch and finds missed changes', async () => {
    api.put('kept', 'old');
    api.put('deleted', 'x');
    const informer = await started();
    await elapse(1000);
    api.endWatches();
    api.intercept('watch', () => statusResponse(410, 'Expired', 'too old resource version'));
    api.delete('deleted');
    api.put('kept', 'new');
    api.put('added', 'x');
    await settle();
    expect(texts(informer)).toEqual({ kept: 'new', added: 'x' });
    expect(rings.sort()).toEqual(['default/added=x', 'default/deleted=gone', 'default/kept=new']);
    expect(api.listRequests).toHaveLength(2);
  });

  it.each([statusOf(410, 'Expired', 'too old resource version'), { kind: 'Status', reason: 'Expired' }])(
    'lists again immediately after an ERROR event in the stream: %j',
    async (object) => {
      const informer = await started();
      await elapse(1000);
      api.toWatches({ type: 'ERROR', object });
      await settle();
      expect(informer.hasSynced).toBe(true);
      expect(api.listRequests).toHaveLength(2);
      expect(log.some((line) => line['level'] === 'warn')).toBe(false);
    },
  );

  it('lists again immediately even if the server was unavailable before', async () => {
    const informer = await started();
    const comeBack = api.interceptAll(() => Promise.reject(reset()));
    api.endWatches();
    await elapse(100_000);
    const asked = api.requests.length;
    comeBack();
    api.put('a', 'x');
    api.compact();
    while (api.requests.length === asked) await elapse(1000);
    expect(api.requests).toHaveLength(asked + 3);
    expect(texts(informer)).toEqual({ a: 'x' });
  });

  it('does not notify listeners of unchanged objects after a new list', async () => {
    api.put('a', 'x');
    await started();
    api.toWatches({ type: 'ERROR', object: statusOf(410, 'Gone') });
    await settle();
    expect(api.listRequests).toHaveLength(2);
    expect(rings).toEqual([]);
  });

  it.each([
    ['versions keep expiring', 2, () => statusResponse(410, 'Gone')],
    ['each watch ends immediately', 1, () => responseOf(200, '', { 'content-type': 'application/json' })],
  ])('backs off when %s', async (_, atStart, response) => {
    api.interceptAll((request) => (request.query?.['watch'] ? response() : undefined));
    await begun();
    expect(api.watchRequests).toHaveLength(atStart);
    await elapse(60_000);
    // 0, 500, 1000, 2000 … 30000 ms
    expect(api.watchRequests.length).toBeLessThan(11);
    expect(api.watchRequests.length).toBeGreaterThan(6);
  });

  it('restarts a list that expires between two pages, without paging', async () => {
    for (let index = 0; index < 7; index += 1) api.put(`t${index}`, 'x');
    const forget = api.interceptAll((request) => {
      if (request.query?.['continue']) api.compact();
      return undefined;
    });
    const informer = make({ pageSize: 3 });
    informer.start();
    await informer.synced();
    forget();
    expect(informer.list()).toHaveLength(7);
    expect(api.listRequests.map(({ query }) => [query?.['limit'], query?.['continue']])).toEqual([
      ['3', undefined],
      ['3', `${api.version}-3`],
      [undefined, undefined],
    ]);
    await elapse(1000);
    api.toWatches({ type: 'ERROR', object: statusOf(410, 'Gone') });
    await settle();
    expect(api.listRequests[3]?.query).toEqual({ limit: '3' });
  });

  it('lists in one request if configured, and in pages if that list does not arrive', async () => {
    for (let index = 0; index < 4; index += 1) api.put(`t${index}`, 'x');
    const forget = api.interceptAll(({ query }) =>
      query?.['limit'] === undefined ? Promise.reject(reset()) : undefined,
    );
    const informer = make({ pageSize: 3, inOnePiece: true });
    informer.start();
    await elapse(1000);
    forget();
    expect(informer.list()).toHaveLength(4);
    expect(api.listRequests.map(({ query }) => query?.['limit'])).toEqual([undefined, '3', '3']);
    await elapse(1000);
    api.toWatches({ type: 'ERROR', object: statusOf(410, 'Gone') });
    await settle();
    expect(api.listRequests[3]?.query).toEqual({});
  });

  it('does not notify listeners of an incomplete list', async () => {
    for (let index = 0; index < 4; index += 1) api.put(`t${index}`, 'x');
    const informer = make({ pageSize: 2 });
    api.interceptAll((request) =>
      request.query?.['continue'] ? statusResponse(500, 'InternalError') : undefined,
    );
    informer.start();
    await settle();
    expect(informer.list()).toEqual([]);
    expect(rings).toEqual([]);
    expect(informer.hasSynced).toBe(false);
  });
});

describe('An informer with a failing API server', () => {
  it.each([
    [429, '7', 7000],
    [503, '7', 7000],
    [503, '86400', 5 * 60_000],
  ])(
    'waits for Retry-After, up to five minutes, when a list fails: %i, %s',
    async (code, seconds, waitMs) => {
      api.put('a', 'x');
      api.intercept('list', () => statusResponse(code, 'Busy', 'Busy', { 'retry-after': seconds }));
      const informer = await begun();
      await elapse(waitMs - 1);
      expect(api.listRequests).toHaveLength(1);
      await elapse(1);
      expect(api.listRequests).toHaveLength(2);
      expect(informer.hasSynced).toBe(true);
    },
  );

  it.each(['a response', 'an ERROR event'])(
    'waits for the delay that %s requests before it watches again, without a list',
    async (by) => {
      const informer = await started();
      await elapse(1000);
      if (by === 'a response') {
        api.intercept('watch', () =>
          statusResponse(429, 'TooManyRequests', 'slow down', { 'retry-after': '7' }),
        );
        api.endWatches();
      } else {
        const details = { retryAfterSeconds: 7 };
        api.toWatches({ type: 'ERROR', object: { ...statusOf(429, 'TooManyRequests'), details } });
      }
      await settle();
      api.put('a', 'x');
      await elapse(6999);
      expect(texts(informer)).toEqual({});
      await elapse(1);
      expect(texts(informer)).toEqual({ a: 'x' });
      expect(api.listRequests).toHaveLength(1);
    },
  );

  it('retries forever with growing delays of at most 30 seconds, starting over after a success', async () => {
    const recover = api.interceptAll(() => Promise.reject(reset()));
    const informer = await begun();
    const times: number[] = [];
    for (let second = 0; second < 600; second += 1) {
      const before = api.requests.length;
      await elapse(1000);
      if (api.requests.length > before) times.push(second);
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
    expect(gaps.slice(-10)).toEqual(Array.from({ length: 10 }, () => 30));
    expect(api.requests.length).toBeLessThan(35);
    recover();
    api.put('a', 'x');
    await elapse(60_000);
    expect(texts(informer)).toEqual({ a: 'x' });
    expect(api.watches).toHaveLength(1);
    api.interceptAll(() => Promise.reject(reset()));
    api.endWatches();
    await settle();
    const asked = api.watchRequests.length;
    await elapse(250);
    expect(api.watchRequests).toHaveLength(asked + 1);
  });

  it('reopens a forbidden watch without a new list each time', async () => {
    const recover = api.interceptAll((request) =>
      request.query?.['watch'] ? statusResponse(403, 'Forbidden') : undefined,
    );
    const informer = await begun();
    await elapse(20_000);
    expect(api.watchRequests.length).toBeGreaterThan(3);
    expect(api.listRequests).toHaveLength(1);
    recover();
    api.put('a', 'x');
    await elapse(30_000);
    expect(texts(informer)).toEqual({ a: 'x' });
  });

  it('lists again when the server removes the kind and serves it again', async () => {
    api.put('a', 'x');
    const informer = await started();
    await elapse(1000);
    const install = api.interceptAll(() => statusResponse(404, 'NotFound'));
    api.endWatches();
    await settle();
    api.delete('a');
    api.compact();
    install();
    await elapse(60_000);
    expect(informer.list()).toEqual([]);
    expect(rings).toEqual(['default/a=gone']);
  });

  it("lists again when the server rejects the watch's version", async () => {
    const informer = await started();
    await elapse(1000);
    api.intercept('watch', () =>
      statusResponse(400, 'BadRequest', 'Invalid value: "10": invalid resource version'),
    );
    api.endWatches();
    api.put('a', 'x');
    await elapse(250);
    expect(texts(informer)).toEqual({ a: 'x' });
    expect(api.listRequests).toHaveLength(2);
  });

  it('lists again when watches from one version keep failing with an internal error', async () => {
    const informer = await started();
    const heal = api.interceptAll((request) =>
      request.query?.['watch'] ? statusResponse(500, 'InternalError') : undefined,
    );
    api.endWatches();
    api.put('a', 'x');
    await settle();
    await elapse(30_000);
    heal();
    expect(texts(informer)).toEqual({ a: 'x' });
    expect(api.watchRequests.length).toBeGreaterThan(5);
  });

  it('lists again when a restored server reports that the version is too large', async () => {
    api.put('a', 'x');
    const informer = await started();
    await elapse(1000);
    const message = 'Too large resource version: 5000, current: 11';
    const details = { causes: [{ reason: 'ResourceVersionTooLarge', message }] };
    api.intercept('watch', () => jsonResponse(504, { ...statusOf(504, 'Timeout', message), details }));
    api.endWatches();
    await settle();
    api.lose();
    await elapse(1000);
    expect(informer.list()).toEqual([]);
    expect(rings).toEqual(['default/a=gone']);
  });

  it('lists again when versions silently go backwards, and accepts objects with lower versions', async () => {
    for (let time = 0; time < 20; time += 1) api.put('a', `before ${time}`);
    const informer = await started();
    const open = api.watches;
    api.lose();
    api.put('b', 'after');
    api.put('a', 'after');
    expect(open).toEqual(api.watches);
    await settle();
    await elapse(1000);
    expect(texts(informer)).toEqual({ a: 'after', b: 'after' });
  });
});

describe('An informer with a failing connection', () => {
  it('reopens a broken watch from the last version without a list', async () => {
    const informer = await started();
    const { metadata } = api.put('a', 'x');
    await settle();
    api.endWatches(reset());
    api.put('b', 'y');
    await settle();
    expect(texts(informer)).toEqual({ a: 'x', b: 'y' });
    expect(api.watchRequests[1]?.query?.['resourceVersion']).toBe(metadata.resourceVersion);
    expect(api.listRequests).toHaveLength(1);
    expect(rings).toEqual(['default/a=x', 'default/b=y']);
  });

  it('detects a half-open connection when the server is silent past the requested end', async () => {
    const informer = await started({ maxWatchMs: 4000 });
    expect(api.watchRequests[0]?.query?.['timeoutSeconds']).toBe('4');
    const [dead] = api.watches;
    // From now on, nothing arrives: neither events nor the end of the stream.
    api.interceptAll(() => undefined);
    await elapse(5999);
    expect(api.watchRequests).toHaveLength(1);
    const before = informer.confirmedAt;
    await elapse(1);
    expect(dead?.released).toBe(true);
    expect(api.watchRequests).toHaveLength(2);
    expect(informer.confirmedAt).toBe((before ?? NaN) + 6000);
  });

  it('detects a half-open connection after 150 s even if the watch may last five minutes', async () => {
    await started();
    await elapse(149_999);
    expect(api.watchRequests).toHaveLength(1);
    await elapse(1);
    expect(api.watchRequests).toHaveLength(2);
    expect(api.listRequests).toHaveLength(1);
  });

  it.each([
    ['list', 60_000],
    ['watch', 30_000],
  ] as const)('gives up on a %s without a response after %i ms', async (what, timeoutMs) => {
    api.intercept(what, never);
    const informer = await begun();
    api.put('a', 'x');
    await elapse(timeoutMs);
    expect(texts(informer)).toEqual({});
    await elapse(250);
    expect(texts(informer)).toEqual({ a: 'x' });
  });

  it('keeps a connection that carries only bookmarks and uses their version', async () => {
    const informer = await started();
    for (let minute = 0; minute < 10; minute += 1) {
      await elapse(60_000);
      // Writes to other kinds advance the version.
      api.put('elsewhere', 'x', 'other');
      api.delete('elsewhere', 'other');
      api.bookmark();
      await settle();
      expect(informer.confirmedAt).toBe(clock.monotonicMs());
    }
    expect(api.requests).toHaveLength(2);
    const version = String(api.version);
    api.compact();
    api.endWatches();
    await settle();
    expect(api.watchRequests[1]?.query?.['resourceVersion']).toBe(version);
    expect(api.listRequests).toHaveLength(1);
  });

  it('confirms the cache each time it reopens an idle watch, but not while the server is unreachable', async () => {
    const informer = await started({ maxWatchMs: 4000 });
    for (let time = 0; time < 10; time += 1) {
      await elapse(4000);
      api.endWatches();
      await settle();
      expect(informer.confirmedAt).toBe(clock.monotonicMs());
    }
    expect(api.listRequests).toHaveLength(1);
    expect(api.watchRequests).toHaveLength(11);
    expect(log.some((line) => line['level'] === 'warn')).toBe(false);
    const confirmed = informer.confirmedAt;
    api.interceptAll(() => Promise.reject(reset()));
    await elapse(4000);
    api.endWatches();
    await elapse(20_000);
    expect(informer.confirmedAt).toEqual(confirmed);
  });
});

describe('An informer behind a proxy that responds in place of the API server', () => {
  const page = '<!doctype html><html><body>Please log in</body></html>';

  it('does not confirm the cache but retries if a list returns an HTML page', async () => {
    api.put('a', 'x');
    api.intercept('list', () => responseOf(200, page, { 'content-type': 'text/html' }));
    api.intercept('list', () => responseOf(502, page, { 'content-type': 'text/html' }));
    api.intercept('list', () => jsonResponse(200, { hello: 'world' }));
    const informer = await begun();
    expect(informer.confirmedAt).toBeUndefined();
    await elapse(250);
    expect(informer.confirmedAt).toBeUndefined();
    await elapse(500);
    expect(informer.confirmedAt).toBeUndefined();
    expect(log.map((line) => (line['err'] as Error).message)).toEqual([
      expect.stringContaining('not from the Kubernetes API'),
      'the API server returned 502',
      expect.stringContaining('not from the Kubernetes API'),
    ]);
    await elapse(1000);
    expect(texts(informer)).toEqual({ a: 'x' });
    expect(JSON.stringify(log)).not.toContain('log in');
  });

  it.each([
    ['with an HTML content type', { 'content-type': 'text/html; charset=utf-8' }],
    ['with a JSON content type', { 'content-type': 'application/json' }],
  ])('rejects a watch that returns an HTML page %s', async (_, headers) => {
    const informer = await started();
    await elapse(5000);
    const confirmed = informer.confirmedAt;
    api.intercept('watch', () => responseOf(200, `${page}\n`, headers));
    api.endWatches();
    api.put('a', 'x');
    await settle();
    if (headers['content-type'].startsWith('text/html')) expect(informer.confirmedAt).toEqual(confirmed);
    // Such a body is never read to the end, so the request must be aborted.
    expect(api.watchRequests[1]?.signal?.aborted).toBe(true);
    expect(texts(informer)).toEqual({});
    await elapse(250);
    expect(texts(informer)).toEqual({ a: 'x' });
  });
});

describe('Informer.stop', () => {
  it('returns immediately during a list without a response and does not notify listeners', async () => {
    const pending = Promise.withResolvers<ApiResponse>();
    api.intercept('list', () => pending.promise);
    const informer = await begun();
    const waiting = informer.synced();
    const rejected = expect(waiting).rejects.toThrow(/stopped/);
    await informer.stop();
    await rejected;
    api.put('a', 'x');
    pending.resolve(jsonResponse(200, { metadata: { resourceVersion: '11' }, items: api.objects() }));
    await settle();
    expect(rings).toEqual([]);
    expect(informer.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('returns immediately during a watch, releases the body and does not notify listeners', async () => {
    const informer = await started();
    const [body] = api.watches;
    const stopped = informer.stop();
    body?.write(`${JSON.stringify({ type: 'ADDED', object: api.put('a', 'x') })}\n`);
    await stopped;
    await settle();
    expect(rings).toEqual([]);
    expect(body?.released).toBe(true);
    expect(clock.pending).toBe(0);
    expect(api.watchRequests).toHaveLength(1);
  });

  it.each<[string, 'list' | 'watch', ApiResponse]>([
    ['a watch whose body is stuck', 'watch', { status: 200, headers: {}, body: new OpenBody() }],
    ['a retry delay', 'list', statusResponse(503, 'Busy', 'Busy', { 'retry-after': '100' })],
  ])('ends immediately during %s', async (_, what, response) => {
    api.intercept(what, () => response);
    const informer = await begun();
    const asked = api.requests.length;
    await informer.stop();
    expect(clock.pending).toBe(0);
    await elapse(200_000);
    expect(api.requests).toHaveLength(asked);
  });

  it('skips the remaining listeners and events when a listener calls it', async () => {
    const informer = await started();
    let stopping: Promise<void> | undefined;
    informer.onChange(() => {
      stopping ??= informer.stop();
    });
    const heard: string[] = [];
    informer.onChange(({ name }) => heard.push(name));
    const [body] = api.watches;
    const events = ['a', 'b', 'c'].map((name, index) => ({
      type: 'ADDED',
      object: thingOf(name, { resourceVersion: String(20 + index) }),
    }));
    body?.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await settle();
    await stopping;
    expect(rings).toHaveLength(1);
    expect(informer.list()).toHaveLength(1);
    expect(heard).toEqual([]);
  });

  it('prevents all requests if called before start', async () => {
    const informer = make();
    await informer.stop();
    informer.start();
    await settle();
    expect(api.requests).toEqual([]);
    await expect(informer.synced()).rejects.toThrow(/stopped/);
  });
});

it("synced rejects with its signal's reason and the informer keeps running", async () => {
  const list = Promise.withResolvers<void>();
  api.interceptAll(async () => {
    await list.promise;
    return undefined as unknown as ApiResponse;
  });
  const informer = make();
  informer.start();
  const aborting = new AbortController();
  const waiting = informer.synced(aborting.signal);
  aborting.abort(new Error('no patience'));
  await expect(waiting).rejects.toThrow('no patience');
  list.resolve();
  await informer.synced();
});

it('the informer converges after any sequence of changes, its own writes, broken connections, expired versions and errors', async () => {
  let state = 7;
  const choose = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  const faults: (() => void)[] = [
    () => api.endWatches(),
    () => api.endWatches(reset()),
    () => api.compact(),
    () => api.bookmark(),
    () => api.toWatches({ type: 'ERROR', object: statusOf(410, 'Expired') }),
    () => api.toWatches({ type: 'ERROR', object: statusOf(500, 'InternalError') }),
    () => api.intercept('watch', () => statusResponse(429, 'Busy', 'Busy', { 'retry-after': '1' })),
    () => api.intercept('watch', () => ({ status: 200, headers: {}, body: new OpenBody() })),
    () => api.intercept('watch', never),
    () => api.intercept('list', () => responseOf(200, '<html>', {})),
    () => api.intercept('watch', () => responseOf(200, '{"type":', {})),
    () => api.intercept(choose(2) === 0 ? 'watch' : 'list', () => Promise.reject(reset())),
    () => {
      const [body] = api.watches;
      body?.write('{"type":"ADD');
      body?.fail(reset());
    },
  ];
  const heard = new Map<string, string>();
  const informer = make({ pageSize: 3 });
  informer.onChange(({ name }) => heard.set(name, informer.get('default', name)?.spec.text ?? 'gone'));
  informer.start();
  // Responses to this process's writes that have not arrived yet.
  const responses: (() => void)[] = [];
  for (let step = 0; step < 3000; step += 1) {
    const name = `t${choose(12)}`;
    const what = choose(10);
    const known = api.objects().find(({ metadata }) => metadata.name === name);
    if (what < 5) {
      const written = api.put(name, `text ${step}`);
      if (choose(2) === 0) responses.push(() => informer.mutated(written));
    } else if (what < 8) {
      api.delete(name);
      if (known && choose(2) === 0) responses.push(() => informer.deleted(known));
    } else if (!api.isIntercepted) faults[choose(faults.length)]?.();
    while (choose(3) > 0) responses.splice(choose(responses.length), 1)[0]?.();
    if (choose(3) === 0) await settle();
    if (choose(20) === 0) await elapse(choose(20) === 0 ? 200_000 : choose(3000));
  }
  for (const arrive of responses) arrive();
  api.behave();
  await elapse(400_000);
  expect(texts(informer)).toEqual(truth());
  // A listener that uses only the keys reaches the same state.
  const known = [...heard].filter(([, text]) => text !== 'gone');
  expect(Object.fromEntries(known)).toEqual(truth());
});
