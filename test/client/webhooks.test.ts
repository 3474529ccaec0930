import { encodeEvent, eventIdOf, type WebhookEvent } from '@trifold/crds';
import { verifyWebhook } from '@trifold/client';
import { signatureOf } from '@trifold/platform/records/webhooks/signature.ts';
import { expect, it } from 'vitest';

const SECRET = 'whsec_test';
const AT = new Date('2026-11-21T10:00:00Z');

it('the client verifies and parses an event that the service signs', () => {
  const event: WebhookEvent<'document.completed'> = {
    id: eventIdOf('document.completed', { uid: 'a8f5c3e2', at: AT }),
    type: 'document.completed',
    createdAt: AT,
    data: {
      id: 'gen-1',
      status: 'completed',
      template_id: 'Łódź',
      file_url: '/v1/generate/gen-1/download',
      status_url: '/v1/generate/gen-1',
      file_size: 12_345,
      render_time_ms: 17,
      expires_at: '2026-11-22T10:00:00.000Z',
    },
  };
  const payload = encodeEvent(event);
  const seconds = AT.getTime() / 1000;
  const headers = {
    'x-trifold-timestamp': String(seconds),
    'x-trifold-signature': signatureOf(SECRET, seconds, payload),
  };
  expect(verifyWebhook({ payload, headers, secret: SECRET, now: AT.getTime() })).toEqual({
    id: event.id,
    type: 'document.completed',
    created_at: AT.toISOString(),
    api_version: '2026-11-01',
    data: event.data,
  });
});
