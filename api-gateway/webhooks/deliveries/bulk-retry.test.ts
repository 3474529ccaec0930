import { describe, expect, it } from 'vitest';
import { RETRY_ANNOTATION, type WebhookDeliveryStatus } from '@trifold/crds';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { DELIVERIES, DeliveryAccount, FAILED, FIRST_DELIVERY_AT } from '../../testing/delivery-account.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const RETRY = `${DELIVERIES}/retry`;

/** Runs before a patch from the gateway reaches the API server. */
let beforePatch: (request: ApiRequest) => Promise<void> = async () => undefined;
let patching = 0;
let mostPatching = 0;
const gateway = await GatewayFixture.shared({
  intercept: (transport) => ({
    async send(request) {
      if (request.method !== 'PATCH' || !request.path.includes('/webhookdeliveries/')) {
        return transport.send(request);
      }
      patching += 1;
      mostPatching = Math.max(mostPatching, patching);
      try {
        await beforePatch(request);
        return await transport.send(request);
      } finally {
        patching -= 1;
      }
    },
  }),
});

function reset(): void {
  beforePatch = async () => undefined;
  [patching, mostPatching] = [0, 0];
}

const accountOf = async (name: string) => DeliveryAccount.make(gateway, `bulk-${name}`);
const secondsLater = (seconds: number) => new Date(FIRST_DELIVERY_AT + seconds * 1000).toISOString();
const withCode = (code: string): WebhookDeliveryStatus => ({ ...FAILED, lastError: { code, message: 'no' } });
const done = (retried: number) => ({ retried, has_more: false, next_cursor: null });

describe('POST /v1/webhooks/deliveries/retry', () => {
  it("retries exactly the account's failed deliveries that can be retried", async () => {
    const [account, other] = [await accountOf('all'), await accountOf('other')];
    const failed = [
      await account.deliver({ status: FAILED }),
      await account.deliver({ status: FAILED, endpoint: 'hook-1' }),
      await account.deliver({ status: FAILED, url: 'https://hooks.example.com/one' }),
      await account.deliver({ status: withCode('connection_refused') }),
    ];
    await account.deliver();
    const ended = [withCode('endpoint_deleted'), withCode('superseded')];
    for (const phase of ['Pending', 'Delivered'] as const) ended.push({ phase, attemptCount: 1 });
    for (const status of ended) await account.deliver({ status });
    await other.deliver({ status: FAILED });
    const answer = await account.retryAll({});
    expect([answer.statusCode, answer.json()]).toEqual([202, done(4)]);
    expect(await account.asked()).toEqual(failed);
    expect(await other.asked()).toEqual([]);
    expect((await account.list('?status=pending')).pagination.total_count).toBe(6);
    // These are pending now.
    expect((await account.retryAll({})).json()).toEqual(done(0));
    expect((await account.retry(failed[0] ?? '')).statusCode).toBe(409);
  });

  it('retries only the deliveries that match the filters', async () => {
    const account = await accountOf('filters');
    const status = FAILED;
    const ids = [
      await account.deliver({ status }),
      await account.deliver({ status, type: 'batch.failed' }),
      await account.deliver({ status, endpoint: 'hook-1' }),
      await account.deliver({ status, endpoint: 'hook-1', type: 'batch.failed' }),
      await account.deliver({ status, url: 'https://hooks.example.com/one' }),
    ];
    const steps: [object, number[]][] = [
      [{ endpoint: 'hook-2' }, []],
      [{ event: 'document.failed' }, []],
      [{ since: secondsLater(4.001) }, []],
      [{ endpoint: 'hook-1', event: 'batch.failed' }, [3]],
      // The same time with a different UTC offset.
      [{ since: secondsLater(4).replace('12:', '14:').replace('Z', '+02:00') }, [4]],
      [{ endpoint: 'hook-1', since: secondsLater(1) }, [2]],
      [{ event: 'batch.failed' }, [1]],
      [{ endpoint: 'account' }, [0]],
    ];
    const asked: string[] = [];
    for (const [body, matching] of steps) {
      expect((await account.retryAll(body)).json(), JSON.stringify(body)).toEqual(done(matching.length));
      asked.push(...matching.map((index) => ids[index] ?? ''));
      expect(await account.asked(), JSON.stringify(body)).toEqual(asked.toSorted());
    }
    expect(asked).toHaveLength(ids.length);
  });

  it.each<[string, Record<string, string> | undefined, string | undefined]>([
    ['no body', undefined, undefined],
    ['no body and a Content-Type', { 'content-type': 'application/json' }, undefined],
    ['an empty body', undefined, ''],
    ['an empty object', undefined, '{}'],
  ])('accepts %s', async (what, headers, body) => {
    const account = await accountOf(what.replaceAll(' ', '-').toLowerCase());
    await account.deliver({ status: FAILED });
    const { key } = account;
    const answer = await gateway.call('POST', RETRY, { key, body, ...(headers && { headers }) });
    expect([answer.statusCode, answer.json()]).toEqual([202, done(1)]);
  });

  it.each<[unknown, string, string]>([
    [{ endpoint: '' }, '/endpoint', 'must not be empty'],
    [{ endpoint: 5 }, '/endpoint', 'must be a string'],
    [{ event: 'document.created' }, '/event', 'must be one of document.completed'],
    [{ since: '2026-11-20' }, '/since', 'must be a time with an offset, such as 2026-11-21T10:00:00Z'],
    [{ since: 1_795_176_000 }, '/since', 'must be a string'],
    [{ status: 'failed' }, '/status', 'is not a known field'],
    ['null', '', 'must be an object'],
    ['[]', '', 'must be an object'],
  ])('rejects %j with 400', async (body, path, message) => {
    const answer = await gateway.call('POST', RETRY, { body });
    expect(answer.json()).toMatchObject({
      statusCode: 400,
      code: 'invalid_request',
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });

  it('retries each delivery once for concurrent requests', async () => {
    const account = await accountOf('concurrent');
    const ids: string[] = [];
    for (let count = 0; count < 30; count++) ids.push(await account.deliver({ status: FAILED }));
    reset();
    // Every request reads the log before the first delivery changes.
    const allRead = Promise.withResolvers<void>();
    beforePatch = async () => {
      if (patching === 4 * 8) allRead.resolve();
      await allRead.promise;
    };
    const answers = await Promise.all(Array.from({ length: 4 }, () => account.retryAll()));
    expect(mostPatching).toBe(4 * 8);
    reset();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202]);
    const retried = answers.map((answer) => answer.json<{ retried: number }>().retried);
    expect(retried.reduce((sum, count) => sum + count)).toBe(30);
    expect(await account.asked()).toEqual(ids);
  });

  it('skips deliveries that are changed or deleted in the meantime, unless they are still failed', async () => {
    const account = await accountOf('overtaken');
    const changed = await account.deliver({ status: FAILED });
    const delivered = await account.deliver({ status: FAILED });
    const deleted = await account.deliver({ status: FAILED });
    await account.list();
    const changes = new Map([
      [changed, async () => account.tell(changed, { ...FAILED, attemptCount: 8 })],
      [delivered, async () => account.tell(delivered, { phase: 'Delivered' })],
      [deleted, async () => account.resources.delete(account.name, deleted)],
    ]);
    beforePatch = async ({ path }) => {
      const name = path.split('/').at(-1) ?? '';
      const change = changes.get(name);
      changes.delete(name);
      await change?.();
    };
    const answer = await account.retryAll();
    reset();
    expect(changes.size).toBe(0);
    expect([answer.statusCode, answer.json()]).toEqual([202, done(1)]);
    expect(await account.asked()).toEqual([changed]);
  });

  it('retries at most 1,000 deliveries, eight at a time, and continues at the cursor', async () => {
    const account = await accountOf('many');
    await inParallel(Array.from({ length: 1002 }).keys(), 16, async () => {
      await account.deliver({ status: FAILED });
    });
    const all = (await account.resources.list({ namespace: account.name })).items;
    const ids = all.map(({ metadata }) => metadata.name);
    reset();
    let [patched, patchedBefore, mostInTurn] = [0, 0, 0];
    beforePatch = async () => void (patched += 1);
    let counting = setImmediate(function count() {
      mostInTurn = Math.max(mostInTurn, patched - patchedBefore);
      patchedBefore = patched;
      counting = setImmediate(count);
    });
    const first = (await account.retryAll({ endpoint: 'account' })).json<{ next_cursor: string }>();
    expect(first).toEqual({ retried: 1000, has_more: true, next_cursor: expect.any(String) });
    clearImmediate(counting);
    // Other requests get turns on the event loop in between.
    expect(mostInTurn).toBeLessThanOrEqual(8);
    expect(await account.asked()).toEqual(ids.slice(2));
    // A retry that has already failed is not repeated.
    const [newest = ''] = ids.slice(-1);
    const { metadata } = await account.resources.get(account.name, newest);
    await account.tell(newest, { ...FAILED, retry: metadata.annotations?.[RETRY_ANNOTATION] ?? '' });
    await eventually(async () => (await account.list('?status=failed')).pagination.total_count === 3);
    const cursor = first.next_cursor;
    const rejected = { statusCode: 400, code: 'invalid_cursor' };
    expect((await account.retryAll({ cursor })).json()).toMatchObject(rejected);
    expect((await account.retryAll({ endpoint: 'account', cursor })).json()).toEqual(done(2));
    expect(await account.asked()).toEqual(ids.slice(0, -1));
  });
});
