import { isId, type GenerationJob } from '@trifold/crds';
import { failed } from '@trifold/controller/testing/scripted-renderer.ts';
import { describe, expect, it } from 'vitest';
import { isSignedWith, SECRET_TEXT, WebhookFixture } from './webhook-fixture.ts';

const fixture = WebhookFixture.forEachTest();

async function finishedJob(spec: Partial<GenerationJob['spec']> = {}): Promise<GenerationJob> {
  const { metadata } = await fixture.controller.gatewayJob(spec);
  return fixture.controller.finished(metadata.name);
}

describe('A completed document', () => {
  it('sends its signed event to the account webhook', async () => {
    await fixture.boot();
    await fixture.activeEndpoint();
    const job = await finishedJob();
    const [request] = await fixture.received(1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      type: 'document.completed',
      data: { id: job.metadata.name, file_size: job.status?.size },
    });
    expect(request).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Trifold-Webhooks/test',
        'x-trifold-event': 'document.completed',
        'x-trifold-timestamp': String(Date.parse('2026-11-21T12:00:00Z') / 1000),
      },
    });
    expect(isId('dlv', String(request?.headers['x-trifold-delivery-id']))).toBe(true);
    expect(isSignedWith(SECRET_TEXT, request!)).toBe(true);
    expect(request?.headers['x-trifold-signature-previous']).toBeUndefined();
  });

  it('creates a delivery that records the event and its attempt', async () => {
    await fixture.boot();
    const { metadata } = await fixture.activeEndpoint();
    const job = await finishedJob();
    const delivery = await fixture.delivery(({ status }) => status?.phase === 'Delivered');
    expect(isId('whd', delivery.metadata.name)).toBe(true);
    expect(delivery.spec).toMatchObject({
      event: { type: 'document.completed' },
      endpointRef: { name: 'account', uid: metadata.uid },
      subject: { kind: 'GenerationJob', name: job.metadata.name, uid: job.metadata.uid },
    });
    expect(delivery.status).toMatchObject({
      attemptCount: 1,
      lastStatus: 200,
      finishedAt: '2026-11-21T12:00:00.000Z',
      attempts: [{ at: '2026-11-21T12:00:00.000Z', status: 200, answer: 'ok' }],
    });
    const [request] = fixture.receiver.received;
    expect(delivery.status?.attempts?.[0]?.deliveryId).toBe(request?.headers['x-trifold-delivery-id']);
    expect(delivery.status?.nextAttemptAt).toBeUndefined();
    expect(job.status?.deliverTo).toEqual([{ name: 'account', uid: metadata.uid }]);
  });

  it('does not cause a write for an account without webhooks', async () => {
    const service = await fixture.boot();
    const { metadata, status } = await finishedJob();
    expect(status?.deliverTo).toBeUndefined();
    expect(service.statusWrites(metadata.name)).toHaveLength(1);
    const writes = service.transport.requests.filter(({ method }) => method === 'POST');
    expect(writes.filter(({ path }) => path.includes('webhookdeliveries'))).toEqual([]);
  });
});

it('An endpoint receives only the events that it subscribes to', async () => {
  await fixture.boot();
  const [failures, completions, all] = ['/failures', '/completions', '/all'].map((path) =>
    fixture.receiver.url(path),
  );
  await fixture.endpoint({ name: 'account', url: failures!, events: ['document.failed'] });
  await fixture.endpoint({ name: 'hook-1', url: completions!, events: ['document.completed'] });
  await fixture.endpoint({ name: 'hook-2', url: all!, events: [] });
  for (const name of ['account', 'hook-1', 'hook-2']) await fixture.inForce(name);
  await finishedJob();
  await fixture.received(2);
  expect(fixture.receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/completions']);
  const ids = fixture.receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  expect(new Set(ids).size).toBe(1);
  const attempts = fixture.receiver.received.map(({ headers }) => headers['x-trifold-delivery-id']);
  expect(new Set(attempts).size).toBe(2);
});

it('A callback does not require an endpoint', async () => {
  await fixture.boot({ render: async () => failed('print_failed', false) });
  await finishedJob({ callbackURL: fixture.receiver.url('/callback') });
  const [callback] = await fixture.received(1);
  expect(JSON.parse(callback?.body ?? '')).toMatchObject({ type: 'generation.failed' });
});
