import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebhookReceiver } from './webhook-receiver.ts';

const SECRET = 'whsec_test';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  receiver.secret = SECRET;
  onTestFinished(() => receiver.stop());
});

async function deliver(id: string, type: string, secret = SECRET): Promise<number> {
  const body = JSON.stringify({ id, type, data: { id: `gen-${id}` } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = { 'x-trifold-timestamp': timestamp, 'x-trifold-signature': signature };
  return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
}

describe('waitFor', () => {
  it('returns each event once, oldest first, whether it arrives before or after the call', async () => {
    expect(await deliver('1', 'document.completed')).toBe(204);
    await deliver('1', 'document.completed');
    await deliver('2', 'document.failed');
    await deliver('3', 'document.completed');
    const ids = [];
    for (const _ of [1, 2]) ids.push((await receiver.waitFor('document.completed')).id);
    expect(ids).toEqual(['1', '3']);
    const [fourth, fifth] = [
      receiver.waitFor(({ id }) => id === '4'),
      receiver.waitFor('document.completed', { timeoutMs: 60_000 }),
    ];
    await deliver('5', 'document.completed');
    await deliver('4', 'document.completed');
    expect([(await fourth).id, (await fifth).id]).toEqual(['4', '5']);
  });

  it('lists other events and rejected deliveries when it times out', async () => {
    await deliver('1', 'document.failed');
    expect(await deliver('2', 'document.completed', 'whsec_other')).toBe(400);
    expect((await fetch(receiver.url, { method: 'POST', body: 'x'.repeat(2 ** 21) })).status).toBe(400);
    await expect(receiver.waitFor('document.completed', { timeoutMs: 1 })).rejects.toThrow(
      'no document.completed event arrived within 1 ms; last other events: document.failed; ' +
        'requests rejected: signature_mismatch (1), the body is too large (1)',
    );
  });

  it("throws its predicate's error", async () => {
    const fail = () => {
      throw new RangeError('no');
    };
    const waiting = receiver.waitFor(fail);
    const rejected = expect(waiting).rejects.toThrow(RangeError);
    await deliver('1', 'document.failed');
    await rejected;
    await expect(receiver.waitFor(fail)).rejects.toThrow(RangeError);
  });

  it('throws when the service ends', async () => {
    const waiting = expect(receiver.waitFor('batch.failed')).rejects.toThrow('ended');
    receiver.fail(new Error('ended'));
    await waiting;
    await expect(receiver.waitFor('batch.failed')).rejects.toThrow('ended');
  });
});
