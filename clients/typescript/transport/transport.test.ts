import { describe, expect, it, vi } from 'vitest';
import {
  ConnectionError,
  parseJson,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
  TrifoldError,
} from '../index.ts';
import { json, errorReply, reset, scriptedServer, silence } from '../testing/scripted-server.ts';
import { parseRetryAfter, withRetries } from './retries.ts';

const REASON = new Error('enough');

const now = { 'retry-after': '0' };
const busy = errorReply(503, 'unavailable', now);
const request = { template_id: 'tpl-1', data: {} };
const done = json(200, { id: 'gen-1', status: 'completed' });

it('A long integer keeps its digits when it is read and sent again', async () => {
  const data = parseJson('\uFEFF{"id":9007199254740993,"list":[1.5]}') as Record<string, unknown>;
  const { client, received } = await scriptedServer([json(200, { samples: [{ name: 'A', data }] })]);
  await client.templates.saveSamples('t', await client.templates.samples('t'));
  expect(received[1]?.body).toBe('{"samples":[{"name":"A","data":{"id":9007199254740993,"list":[1.5]}}]}');
});

describe('An idempotent call', () => {
  it.each([
    ['503', busy],
    ['429', errorReply(429, 'rate_limited', now)],
    ['a 502 from a proxy', json(502, 'Bad gateway', now)],
    ['a connection that breaks', reset],
  ])('is retried after %s', async (_what, reply) => {
    const { client, received } = await scriptedServer([reply, reply, done]);
    expect(await client.documents.get('gen-1')).toMatchObject({ status: 'completed' });
    expect(received).toHaveLength(3);
  });

  it('sends the same Idempotency-Key in each attempt and a new one for each new document', async () => {
    const { client, received } = await scriptedServer([busy, reset, done]);
    await client.documents.generate(request);
    await client.documents.generate(request);
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0], expect.stringMatching(/^[\w-]{36}$/)]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it("sends the caller's Idempotency-Key", async () => {
    const { client, received } = await scriptedServer([busy, json(202, {})]);
    const options = { idempotencyKey: 'order-17' };
    await client.batches.create({ template_id: 'tpl-1', format: 'pdf', items: [] }, options);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-17', 'order-17']);
  });

  it('rejects with the last error after the maximum number of retries', async () => {
    const { client, received } = await scriptedServer([busy], { retries: 1 });
    await expect(client.documents.generate(request)).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(received).toHaveLength(2);
  });

  it('is not retried and sends no Idempotency-Key if retries are disabled', async () => {
    const { client, received } = await scriptedServer([busy], { retries: 0 });
    await expect(client.documents.generate(request)).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });

  it('is not retried if Retry-After exceeds the remaining time', async () => {
    const { client, received } = await scriptedServer([
      errorReply(429, 'rate_limited', { 'retry-after': '3600' }),
    ]);
    const error: unknown = await client.documents.get('gen-1').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: 3_600_000, code: 'rate_limited' });
    expect(received).toHaveLength(1);
  });

  it.each([400, 401, 404, 409, 410, 422, 500])('is not retried after %i', async (status) => {
    const { client, received } = await scriptedServer([errorReply(status, 'any', now)]);
    await expect(client.documents.get('gen-1')).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });
});

it.each(['create', 'update', 'delete', 'compile', 'key'] as const)(
  'A non-idempotent call is sent once: %s',
  async (what) => {
    const { client, received } = await scriptedServer([busy]);
    const calls = {
      create: () => client.templates.create({ name: 'A', html: 'B' }),
      update: () => client.templates.update('tpl-1', { name: 'B' }),
      delete: () => client.templates.delete('tpl-1'),
      compile: () => client.emails.compile({ template_id: 'tpl-1', data: {} }),
      key: () => client.apiKeys.create({ name: 'A' }),
    };
    await expect(calls[what]()).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(received).toHaveLength(1);
    expect(received[0]?.headers['idempotency-key']).toBeUndefined();
  },
);

describe('The delay between retries', () => {
  it('follows Retry-After, or else grows exponentially up to eight seconds', async () => {
    const waits: number[] = [];
    const busyWith = (retryAfterMs?: number) =>
      new TrifoldError('busy', { code: 'x', status: 503, retryAfterMs });
    const errors = [busyWith(1234), ...Array.from({ length: 9 }, () => busyWith())];
    const run = vi.fn<() => Promise<string>>(async () => {
      const error = errors.shift();
      if (error) throw error;
      return 'done';
    });
    const pause = async (milliseconds: number) => void waits.push(milliseconds);
    const { signal } = new AbortController();
    expect(await withRetries(run, { retries: 10, leftMs: () => 60_000, signal, pause })).toBe('done');
    expect(waits.shift()).toBe(1234);
    const longest = [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000];
    expect(waits).toHaveLength(longest.length);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(longest[index]!);
      expect(wait).toBeGreaterThanOrEqual(longest[index]! / 2);
    }
  });

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('is parsed from Retry-After: %s', (header, milliseconds) => {
    expect(parseRetryAfter(header, Date.parse('2026-11-21T10:00:00Z'))).toBe(milliseconds);
  });

  it('ends when the caller aborts', async () => {
    const stop = new AbortController();
    const { client } = await scriptedServer([
      (response) => {
        errorReply(503, 'unavailable', { 'retry-after': '30' })(response);
        setImmediate(() => stop.abort(REASON));
      },
    ]);
    await expect(client.documents.get('gen-1', { signal: stop.signal })).rejects.toBe(REASON);
  });
});

describe('A call', () => {
  it("rejects with the signal's reason and sends nothing if it is already aborted", async () => {
    const stop = new AbortController();
    const { client, received } = await scriptedServer([() => stop.abort(REASON)]);
    const { signal } = stop;
    const create = () => client.templates.create({ name: 'A', html: 'B' }, { signal });
    await expect(create()).rejects.toBe(REASON);
    await expect(create()).rejects.toBe(REASON);
    await expect(client.documents.get('gen-1', { signal })).rejects.toBe(REASON);
    expect(received).toHaveLength(1);
  });

  it('rejects with a TimeoutError after its timeout without a retry', async () => {
    const { client, received } = await scriptedServer([silence], { timeoutMs: 2000 });
    const error: unknown = await client.documents.get('gen-1').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timeout', retryable: false, status: undefined });
    expect((error as Error).message).toContain('GET /v1/generate/gen-1');
    expect(received).toHaveLength(1);
  });

  it('rejects with a TimeoutError if the response stops in the middle', async () => {
    const { client } = await scriptedServer([(response) => response.write('{"id"')]);
    await expect(client.documents.get('gen-1', { timeoutMs: 100 })).rejects.toBeInstanceOf(TimeoutError);
  });

  it('rejects with a ConnectionError that states the reason if nothing is listening', async () => {
    const { client } = await scriptedServer([reset], { baseUrl: 'http://127.0.0.1:1', retries: 0 });
    const error: unknown = await client.documents.get('gen-1').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toMatch(/GET \/v1\/generate\/gen-1.*(ECONNREFUSED|bad port)/);
  });

  it("accepts a timeout longer than a timer's maximum", async () => {
    const { client } = await scriptedServer([done], { timeoutMs: 10_000_000_000 });
    expect(await client.documents.get('gen-1')).toMatchObject({ status: 'completed' });
  });

  it('sends nothing and leaves no timer running if the body cannot be serialized as JSON', async () => {
    const { client, received } = await scriptedServer([done]);
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await expect(client.documents.generate({ template_id: 'a', data: { n: 1n } })).rejects.toThrow(TypeError);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before);
    expect(received).toEqual([]);
  });

  it('rejects a response that is not from the service', async () => {
    const page = (response: { end(text: string): void }) => response.end('<html>Welcome</html>');
    const { client } = await scriptedServer([page]);
    await expect(client.templates.get('a')).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 });
  });
});
