import { describe, expect, it } from 'vitest';
import { RETRY_ANNOTATION, type WebhookDeliveryStatus } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import {
  DELIVERIES as LOG,
  DeliveryAccount,
  ERROR,
  FAILED,
  FIRST_DELIVERY_AT,
  type DeliveryPage,
} from '../../testing/delivery-account.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const gateway = await GatewayFixture.shared();

const accountOf = async (name: string) => DeliveryAccount.make(gateway, name);
const idsOf = ({ data }: DeliveryPage) => data.map(({ id }) => id);

describe('GET /v1/webhooks/deliveries', () => {
  it("lists only the account's deliveries, newest first, page by page", async () => {
    const [account, other] = [await accountOf('paging'), await accountOf('paging-other')];
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift(await account.deliver());
    await other.deliver();
    const first = await account.list('?limit=2');
    expect(first.pagination.total_count).toBe(5);
    const rest = await account.list(`?cursor=${first.pagination.next_cursor}`);
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids);
    expect(first.data[0]).toEqual({
      id: ids[0],
      event_id: expect.stringMatching(/^evt-/),
      event_type: 'batch.completed',
      subject: null,
      endpoint: 'account',
      status: 'pending',
      attempts: 0,
      next_attempt_at: null,
      created_at: new Date(FIRST_DELIVERY_AT + 4000).toISOString(),
    });
  });

  it('counts and returns only the deliveries that match the filters', async () => {
    const account = await accountOf('filters');
    const one = await account.deliver({ type: 'batch.failed', endpoint: 'hook-1', status: FAILED });
    const two = await account.deliver({ status: { phase: 'Delivered', attemptCount: 2 } });
    const nextAttemptAt = '2026-11-20T12:05:00.000Z';
    const three = await account.deliver({ status: { phase: 'Pending', attemptCount: 1, nextAttemptAt } });
    const four = await account.deliver({ url: 'https://hooks.example.com/one', subject: 'bat-1' });
    for (const [query, ids] of [
      ['', [four, three, two, one]],
      ['?event=batch.failed', [one]],
      ['?status=failed', [one]],
      ['?status=delivered', [two]],
      ['?status=pending', [four, three]],
      ['?state=failed', [one]],
      ['?state=pending&status=pending', [four, three]],
      ['?state=pending&status=failed', []],
      ['?endpoint=hook-1', [one]],
      ['?endpoint=account', [three, two]],
      ['?endpoint=account&status=pending&event=batch.completed', [three]],
      ['?endpoint=hook-2', []],
      ['?subject=bat-1', [four]],
      ['?subject=bat-2', []],
    ] as const) {
      const page = await account.list(query);
      expect(idsOf(page), query).toEqual(ids);
      expect(page.pagination, query).toEqual({ has_more: false, next_cursor: null, total_count: ids.length });
    }
    const entries = (await account.list()).data;
    expect(entries[0]).toMatchObject({ endpoint: null, subject: 'bat-1' });
    expect(entries[1]).toMatchObject({ attempts: 1, next_attempt_at: nextAttemptAt });
    const { next_cursor: cursor } = (await account.list('?status=pending&limit=1')).pagination;
    const elsewhere = await gateway.call('GET', `${LOG}?cursor=${cursor}`, { key: account.key });
    expect(elsewhere.json()).toMatchObject({ statusCode: 400, code: 'invalid_cursor' });
  });

  it.each([
    'event=document.created',
    'status=Pending',
    'status=',
    'endpoint=',
    'limit=0',
    'limit=101',
    'cursor=x',
    'state=Failed',
    'phase=failed',
  ])('rejects ?%s', async (query) => {
    expect((await gateway.call('GET', `${LOG}?${query}`)).statusCode).toBe(400);
  });

  it('uses the creation time of a manually created delivery whose time is invalid', async () => {
    const account = await accountOf('by-hand');
    const first = await account.deliver();
    const { spec } = await account.resources.get(account.name, first);
    const { metadata } = await account.resources.create({
      metadata: { name: 'by-hand', namespace: account.name },
      spec: { ...spec, event: { ...spec.event, createdAt: '2026-11-20T12:00:00+99:99' } },
    });
    const created_at = new Date(metadata.creationTimestamp).toISOString();
    const { data } = await account.list();
    expect(data.find(({ id }) => id === 'by-hand')).toMatchObject({ created_at });
    const answer = await gateway.call('GET', `${LOG}/by-hand`, { key: account.key });
    expect(answer.json()).toMatchObject({ id: 'by-hand', created_at });
  });

  it('stops watching an account without requests and lists its deliveries again on the next one', async () => {
    const clock = new FakeClock();
    let wholeReads = 0;
    const apart = await GatewayFixture.forTest({
      clock,
      intercept: intercepting(({ method, path, query }) => {
        const isList = path.endsWith('/webhookdeliveries') && query?.['watch'] === undefined;
        if (method === 'GET' && isList && query?.['limit'] !== '1') wholeReads += 1;
      }),
    });
    const account = await DeliveryAccount.make(apart, 'idle');
    await account.deliver();
    await account.list();
    for (let round = 0; round < 5; round++) {
      clock.advance(60_000);
      await eventually(async () => {
        const answer = await apart.call('GET', LOG, { key: account.key });
        return answer.statusCode === 200;
      });
    }
    expect(wholeReads).toBe(1);
    clock.advance(121_000);
    await account.deliver();
    expect((await account.list()).pagination.total_count).toBe(2);
    expect(wholeReads).toBe(2);
  });
});

describe('GET /v1/webhooks/deliveries/:id', () => {
  it('returns a delivery with all its attempts and the body that is sent', async () => {
    const account = await accountOf('reading-one');
    const id = await account.deliver({ status: FAILED });
    const answer = await gateway.call('GET', `${LOG}/${id}`, { key: account.key });
    const { spec } = await account.resources.get(account.name, id);
    const at = (minute: number) => `2026-11-20T12:0${minute}:00.000Z`;
    expect(answer.json()).toEqual({
      id,
      event_id: spec.event.id,
      event_type: 'batch.completed',
      subject: null,
      endpoint: 'account',
      status: 'failed',
      attempts: [
        { id: 'dlv-1', at: at(0), duration_ms: 30_000, status: null, error: null, answer: null },
        { id: 'dlv-2', at: at(1), duration_ms: 12, status: 500, error: ERROR, answer: 'no' },
      ],
      next_attempt_at: null,
      created_at: new Date(FIRST_DELIVERY_AT).toISOString(),
      url: null,
      error: ERROR,
      finished_at: FAILED.finishedAt,
      payload: spec.event.payload,
    });
  });

  it.each(['whd-unknown', 'Not%20a%20name'])('returns 404 for %s', async (id) => {
    const expected = { statusCode: 404, code: 'delivery_not_found' };
    expect((await gateway.call('GET', `${LOG}/${id}`)).json()).toMatchObject(expected);
    expect((await gateway.call('POST', `${LOG}/${id}/retry`)).json()).toMatchObject(expected);
  });
});

describe('POST /v1/webhooks/deliveries/:id/retry', () => {
  it('requests one more attempt from the controller and sets the delivery to pending', async () => {
    const account = await accountOf('retrying');
    const id = await account.deliver({ status: FAILED });
    await account.list();
    const answer = await account.retry(id);
    expect(answer.statusCode, answer.body).toBe(202);
    expect(answer.json()).toMatchObject({ id, status: 'pending', finished_at: null });
    expect((await account.list('?status=pending')).data).toMatchObject([{ id }]);
    const { metadata } = await account.resources.get(account.name, id);
    const retry = metadata.annotations?.[RETRY_ANNOTATION];
    expect(retry).toMatch(/\S/);
    expect((await account.retry(id)).json()).toMatchObject({ statusCode: 409, code: 'not_failed' });
    // The retry failed; another one is possible.
    await account.tell(id, { ...FAILED, retry: retry ?? '' });
    expect((await gateway.call('GET', `${LOG}/${id}`, { key: account.key })).json().status).toBe('failed');
    expect((await account.retry(id)).statusCode).toBe(202);
    const again = await account.resources.get(account.name, id);
    expect(again.metadata.annotations?.[RETRY_ANNOTATION]).not.toBe(retry);
  });

  it("requests a waiting delivery's next attempt once, and leaves the delivery out of a bulk retry", async () => {
    const account = await accountOf('retrying-waiting');
    const waiting = { phase: 'Pending', attemptCount: 1 } as const;
    const due = await account.deliver({ status: { ...waiting, nextAttemptAt: '2026-01-01T00:00:00Z' } });
    expect((await account.retry(due)).json()).toMatchObject({ statusCode: 409, code: 'not_failed' });
    const id = await account.deliver({ status: { ...waiting, nextAttemptAt: '2099-01-01T00:00:00Z' } });
    expect((await account.retryAll()).json()).toMatchObject({ retried: 0 });
    expect((await account.retry(id)).statusCode).toBe(202);
    expect((await account.retry(id)).json()).toMatchObject({ statusCode: 409, code: 'not_failed' });
  });

  it('ends when the controller reports the retry, even if the annotation value is too long', async () => {
    const account = await accountOf('retrying-long');
    const id = await account.deliver({ status: FAILED });
    const asked = 'a'.repeat(300);
    const annotations = { [RETRY_ANNOTATION]: asked };
    await account.resources.patch({ namespace: account.name, name: id }, { metadata: { annotations } });
    await account.tell(id, { ...FAILED, retry: asked.slice(0, 256) });
    expect((await gateway.call('GET', `${LOG}/${id}`, { key: account.key })).json().status).toBe('failed');
    expect((await account.list('?status=failed')).data).toMatchObject([{ id }]);
    expect((await account.retry(id)).statusCode).toBe(202);
  });

  it('starts one retry for several concurrent requests', async () => {
    const account = await accountOf('retrying-many');
    const id = await account.deliver({ status: FAILED });
    const answers = await Promise.all(Array.from({ length: 6 }, () => account.retry(id)));
    expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5);
  });

  it.each<[string, WebhookDeliveryStatus | undefined]>([
    ['was not attempted', undefined],
    ['is due', { phase: 'Pending', attemptCount: 1 }],
    ['was delivered', { phase: 'Delivered' }],
    ['no longer has an endpoint', { ...FAILED, lastError: { code: 'endpoint_deleted', message: 'gone' } }],
    ['was replaced by a later one', { ...FAILED, lastError: { code: 'superseded', message: 'late' } }],
  ])('returns 409 for a delivery that %s', async (what, status) => {
    const account = await accountOf(`rejected-${what.replaceAll(' ', '-')}`);
    const id = await account.deliver(status && { status });
    expect((await account.retry(id)).json()).toMatchObject({ statusCode: 409, code: 'not_failed' });
    const { metadata } = await account.resources.get(account.name, id);
    expect(metadata.annotations).toBeUndefined();
  });
});
