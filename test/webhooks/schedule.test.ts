import { RETRY_ANNOTATION, type WebhookDelivery, type WebhookDeliveryStatus } from '@trifold/crds';
import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { isSignedWith, SECRET_TEXT, WebhookFixture } from './webhook-fixture.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** From the interface, "Delivery and retry": the waits before the second attempt and the later ones. */
const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR];

const ANY_NUMBER = expect.any(Number) as number;

const fixture = WebhookFixture.forEachTest();

/** Creates a document and waits until the endpoint has received its event once. */
async function told(): Promise<WebhookDelivery> {
  await fixture.activeEndpoint();
  return fixture.attempted();
}

/** Advances the clock; nothing may happen before the last millisecond. */
async function passes(milliseconds: number): Promise<void> {
  const { clock } = fixture.controller;
  const before = fixture.receiver.received.length;
  clock.advance(milliseconds - 1);
  for (let looks = 0; looks < 5; looks += 1) await fixture.all();
  expect(fixture.receiver.received).toHaveLength(before);
  clock.advance(1);
}

const atOf = (delivery: WebhookDelivery) =>
  (delivery.status?.attempts ?? []).map(({ at }) => Date.parse(at) - NOON);

describe('A failing delivery', () => {
  it('is attempted seven times in 34.5 hours, each after its delay, and then fails', async () => {
    await fixture.boot();
    fixture.answering(503);
    let delivery = await told();
    const expected = [0];
    for (const [index, wait] of WAITS.entries()) {
      const due = expected[index]! + wait;
      expect(delivery.status).toMatchObject({
        phase: 'Pending',
        lastStatus: 503,
        lastError: { code: 'http_error', message: 'the endpoint returned 503' },
        nextAttemptAt: new Date(NOON + due).toISOString(),
      });
      await passes(wait);
      delivery = await fixture.attempts(index + 2);
      expected.push(due);
    }
    expect(atOf(delivery)).toEqual(expected);
    expect(expected.at(-1)).toBe(34 * HOUR + 36 * MINUTE);
    expect(delivery.status).toMatchObject({ phase: 'Failed', attemptCount: 7 });
    expect(delivery.status?.nextAttemptAt).toBeUndefined();
    expect(delivery.status?.conditions).toMatchObject([
      { type: 'Delivered', status: 'False', reason: 'NotDelivered' },
      { type: 'Exhausted', status: 'True', reason: 'NoAttemptLeft' },
    ]);
    // Nothing more is sent.
    fixture.clock.advance(72 * HOUR);
    for (let looks = 0; looks < 5; looks += 1) await fixture.all();
    expect(fixture.receiver.received).toHaveLength(7);
  });

  it('sends the same event and body each time, with a new signature and delivery ID', async () => {
    await fixture.boot();
    fixture.answering(500);
    await told();
    await passes(MINUTE);
    await fixture.attempts(2);
    const [first, second] = fixture.receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-trifold-timestamp']).toBe(String((NOON + MINUTE) / 1000));
    expect(isSignedWith(SECRET_TEXT, first!)).toBe(true);
    expect(isSignedWith(SECRET_TEXT, second!)).toBe(true);
    expect(second?.headers['x-trifold-signature']).not.toBe(first?.headers['x-trifold-signature']);
    expect(second?.headers['x-trifold-delivery-id']).not.toBe(first?.headers['x-trifold-delivery-id']);
  });

  it.each([2, 3, 4, 5, 6, 7])('can succeed on attempt %d, which is then the last one', async (count) => {
    await fixture.boot();
    fixture.answering(503);
    await told();
    for (const [index, wait] of WAITS.slice(0, count - 1).entries()) {
      if (index === count - 2) fixture.answering(204);
      await passes(wait);
      await fixture.attempts(index + 2);
    }
    const delivery = await fixture.attempts(count);
    expect(delivery.status).toMatchObject({ phase: 'Delivered', lastStatus: 204 });
    expect(delivery.status?.lastError).toBeUndefined();
    expect(delivery.status?.conditions).toMatchObject([
      { type: 'Delivered', status: 'True' },
      { type: 'Exhausted', status: 'False' },
    ]);
  });

  it('follows the configured schedule', async () => {
    await fixture.boot({ webhooks: { retrySchedule: [5_000, 10_000] } });
    fixture.answering(503);
    await fixture.activeEndpoint();
    await fixture.controller.gatewayJob();
    await fixture.delivery(() => true);
    await passes(5_000);
    await fixture.attempts(1);
    await passes(10_000);
    expect((await fixture.attempts(2)).status).toMatchObject({ phase: 'Failed' });
  });
});

describe('A delivery status that the API server rejects', () => {
  /** Creates a connection that invalidates delivery statuses when `isSpoilt` returns true. */
  const spoiling = (isSpoilt: (status: WebhookDeliveryStatus) => boolean) => {
    const spoil = (request: ApiRequest): ApiRequest => {
      if (!/\/webhookdeliveries\/[^/]+\/status$/.test(request.path)) return request;
      const delivery = JSON.parse(request.body ?? '{}') as WebhookDelivery;
      if (!isSpoilt(delivery.status ?? {})) return request;
      const status = { ...delivery.status, attemptCount: -1 };
      return { ...request, body: JSON.stringify({ ...delivery, status }) };
    };
    return (inner: ApiTransport): ApiTransport => ({ send: (request) => inner.send(spoil(request)) });
  };

  it('is written without the response body, and the next attempt follows', async () => {
    const transport = spoiling(({ attempts = [] }) => attempts.at(-1)?.answer !== undefined);
    await fixture.boot({ wrap: { transport } });
    fixture.answering(503);
    const { status } = await told();
    expect(status).toMatchObject({ phase: 'Pending', lastError: { code: 'http_error' } });
    const deliveryId = fixture.receiver.received[0]?.headers['x-trifold-delivery-id'];
    const error = { code: 'http_error', message: 'the endpoint returned 503' };
    const [attempt, ...others] = status?.attempts ?? [];
    expect(attempt).toEqual({ deliveryId, at: new Date(NOON).toISOString(), durationMs: ANY_NUMBER, error });
    expect(others).toEqual([]);
    fixture.answering(204);
    await passes(MINUTE);
    expect((await fixture.attempts(2)).status).toMatchObject({ phase: 'Delivered' });
  });

  it('is written later if the server rejects that as well', async () => {
    let isTaken = false;
    let rejected = 0;
    const transport = spoiling(() => {
      rejected += 1;
      return !isTaken;
    });
    await fixture.boot({ wrap: { transport } });
    await fixture.activeEndpoint();
    await fixture.controller.gatewayJob();
    await eventually(async () => rejected >= 4);
    isTaken = true;
    const isDelivered = async () => (await fixture.all())[0]?.status?.phase === 'Delivered';
    await fixture.clock.passUntil(10_000, isDelivered, { intervalMs: 5 });
    // The event was not sent again because of it.
    expect(fixture.receiver.received).toHaveLength(1);
  });
});

it.each([
  ['lengthens a wait', 429, '600', 10 * MINUTE],
  ['never shortens one', 503, '1', MINUTE],
])('Retry-After %s', async (_what, status, seconds, waitMs) => {
  await fixture.boot();
  fixture.answering(status, { 'retry-after': seconds });
  expect((await told()).status?.nextAttemptAt).toBe(new Date(NOON + waitMs).toISOString());
  fixture.answering(200);
  await passes(waitMs);
  await fixture.attempts(2);
});

describe('A waiting or failed delivery', () => {
  const retry = async (name: string, value: string) =>
    fixture.deliveries.patch(
      { namespace: 'default', name },
      { metadata: { annotations: { [RETRY_ANNOTATION]: value } } },
    );

  async function givenUp(): Promise<WebhookDelivery> {
    await fixture.boot({ webhooks: { retrySchedule: [0, MINUTE] } });
    fixture.answering(503);
    await told();
    await passes(MINUTE);
    return fixture.attempts(2);
  }

  it('is attempted early if its annotation requests it; this counts as the next attempt in the schedule', async () => {
    await fixture.boot();
    fixture.answering(503);
    const { metadata } = await told();
    await retry(metadata.name, 'now');
    const { status } = await fixture.attempts(2);
    expect(status).toMatchObject({ phase: 'Pending', retry: 'now', attemptCount: 2 });
    expect(status?.nextAttemptAt).toBe(new Date(NOON + 5 * MINUTE).toISOString());
    await passes(5 * MINUTE);
    await fixture.attempts(3);
  });

  it('is attempted exactly once more if its annotation requests it', async () => {
    const { metadata } = await givenUp();
    await retry(metadata.name, 'once');
    const again = await fixture.attempts(3);
    expect(again.status).toMatchObject({ phase: 'Failed', retry: 'once' });
    fixture.answering(200);
    await retry(metadata.name, 'twice');
    const delivered = await fixture.attempts(4);
    expect(delivered.status).toMatchObject({ phase: 'Delivered', retry: 'twice' });
    expect(delivered.spec.event.payload).toBe(fixture.receiver.received.at(-1)?.body);
    // A delivered event is not sent again.
    await retry(metadata.name, 'thrice');
    for (let looks = 0; looks < 5; looks += 1) await fixture.all();
    expect(fixture.receiver.received).toHaveLength(4);
  });

  it('is not attempted again because of an earlier annotation', async () => {
    await fixture.boot({ webhooks: { retrySchedule: [0, MINUTE] } });
    fixture.answering(503);
    const { metadata } = await told();
    await retry(metadata.name, 'early');
    await passes(MINUTE);
    expect((await fixture.attempts(2)).status).toMatchObject({ phase: 'Failed', retry: 'early' });
    expect(fixture.receiver.received).toHaveLength(2);
  });

  it('keeps its latest attempts if there are very many', async () => {
    const { metadata } = await givenUp();
    for (let count = 3; count <= 35; count += 1) {
      await retry(metadata.name, String(count));
      await fixture.attempts(count);
    }
    const { status } = await fixture.attempts(35);
    expect(status?.attempts).toHaveLength(32);
    expect(new Set(status?.attempts?.map(({ deliveryId }) => deliveryId)).size).toBe(32);
  });
});
