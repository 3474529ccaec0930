import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError, type Delivery } from '../index.ts';

const SECRET = 'whsec_Ku0sVfYd2r9mN4tQ';
const OLD_SECRET = 'whsec_old';
const NOW = Date.parse('2026-11-21T10:00:00Z');
const TIMESTAMP = String(NOW / 1000);
const PAYLOAD = JSON.stringify({
  id: 'evt-1',
  type: 'document.completed',
  created_at: '2026-11-21T09:59:59.000Z',
  api_version: '2026-11-01',
  data: { id: 'gen-1', status: 'completed', filename: 'Łódź' },
});
const sign = (payload: string | Uint8Array, secret = SECRET, timestamp = TIMESTAMP) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(payload).digest('hex');

const delivery = (
  more: Partial<Delivery> & { signed?: Record<string, string | string[]> } = {},
): Delivery => {
  const { signed, ...others } = more;
  const headers = {
    'x-trifold-signature': sign(more.payload ?? PAYLOAD),
    'x-trifold-timestamp': TIMESTAMP,
    ...signed,
  };
  return { payload: PAYLOAD, headers, secret: SECRET, now: NOW, ...others };
};

function reasonOf(given: Delivery): string {
  try {
    verifyWebhook(given);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  return 'none';
}

describe('verifyWebhook with a genuine delivery', () => {
  it('returns the event', () => {
    expect(verifyWebhook(delivery())).toEqual(JSON.parse(PAYLOAD));
  });

  it('accepts a signature made by openssl according to the documented scheme', () => {
    const payload = '{"id":"evt-1","type":"webhook.test"}';
    const headers = {
      'X-Trifold-Timestamp': '1795255200',
      'X-Trifold-Signature': '06e11c2d965b0581899288bf14297a7f23705037626dd6795a7d571e2ceafb3e',
    };
    expect(verifyWebhook({ payload, headers, secret: 'shared secret', now: 1_795_255_200_000 }).id).toBe(
      'evt-1',
    );
  });

  it('accepts a body as bytes and every type of headers', () => {
    const signature = sign(PAYLOAD);
    for (const headers of [
      new Headers({ 'X-Trifold-Signature': signature, 'X-Trifold-Timestamp': TIMESTAMP }),
      new Map([
        ['X-Trifold-Signature', signature],
        ['X-Trifold-Timestamp', TIMESTAMP],
      ]) as unknown as Headers,
      { 'X-Trifold-Signature': signature, 'X-TRIFOLD-TIMESTAMP': TIMESTAMP },
      { 'x-trifold-signature': [signature], 'x-trifold-timestamp': TIMESTAMP },
    ]) {
      const payload = new Uint8Array(Buffer.from(PAYLOAD));
      expect(verifyWebhook({ payload, headers, secret: SECRET, now: NOW }).id).toBe('evt-1');
    }
  });

  it('accepts the old secret during a rotation', () => {
    const signed = { 'x-trifold-signature-previous': sign(PAYLOAD, OLD_SECRET) };
    expect(reasonOf(delivery({ signed, secret: OLD_SECRET }))).toBe('none');
    expect(reasonOf(delivery({ signed }))).toBe('none');
    expect(reasonOf(delivery({ signed, secret: 'whsec_other' }))).toBe('signature_mismatch');
  });

  it('accepts timestamps up to the tolerance in the past and in the future', () => {
    for (const now of [NOW - 300_000, NOW + 300_000]) expect(reasonOf(delivery({ now }))).toBe('none');
    expect(reasonOf(delivery({ now: NOW + 600_000, toleranceMs: 600_000 }))).toBe('none');
  });
});

describe('verifyWebhook with an invalid delivery', () => {
  const signature = sign(PAYLOAD);
  const signedBy = (value: string | string[]) => ({ signed: { 'x-trifold-signature': value } });
  it.each<[string, string, Parameters<typeof delivery>[0]]>([
    ['another body', 'signature_mismatch', { payload: `${PAYLOAD} `, ...signedBy(signature) }],
    ['another secret', 'signature_mismatch', { secret: 'whsec_other' }],
    ['another timestamp', 'signature_mismatch', { signed: { 'x-trifold-timestamp': '1795255201' } }],
    ['half a signature', 'signature_mismatch', signedBy(signature.slice(0, 32))],
    ['uppercase letters in the signature', 'signature_mismatch', signedBy(signature.toUpperCase())],
    ['non-ASCII letters in the signature', 'signature_mismatch', signedBy('é'.repeat(32))],
    ['two signatures', 'missing_header', signedBy([signature, signature])],
    ['no headers', 'missing_header', { headers: {} }],
    ['no timestamp', 'missing_header', { headers: { 'x-trifold-signature': signature } }],
    ['a date as the timestamp', 'malformed_timestamp', { signed: { 'x-trifold-timestamp': '2026-11-21' } }],
    ['a timestamp that is too old', 'timestamp_out_of_tolerance', { now: NOW + 300_001 }],
    ['a timestamp in the future', 'timestamp_out_of_tolerance', { now: NOW - 300_001 }],
    ['a body that is not JSON', 'malformed_payload', { payload: 'hello' }],
    ['a body that is not an event', 'malformed_payload', { payload: '{"id":7}' }],
    ['a body that is null', 'malformed_payload', { payload: 'null' }],
  ])('rejects %s: %s', (_what, reason, more) => {
    expect(reasonOf(delivery(more))).toBe(reason);
  });

  it('throws a TypeError if the body is already parsed or the secret is empty', () => {
    const parsed = JSON.parse(PAYLOAD) as string;
    expect(() => verifyWebhook({ ...delivery(), payload: parsed })).toThrow(TypeError);
    expect(() => verifyWebhook({ ...delivery(), secret: '' })).toThrow(TypeError);
  });

  it('reveals neither the secret nor the correct signature', () => {
    try {
      verifyWebhook(delivery({ payload: '{}', signed: { 'x-trifold-signature': signature } }));
      expect.unreachable();
    } catch (error) {
      expect(String((error as Error).stack)).not.toContain(SECRET);
      expect((error as Error).message).not.toContain(sign('{}'));
    }
  });
});
