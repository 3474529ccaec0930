import { expect, it } from 'vitest';
import { isRetryAsked, RETRY_ANNOTATION, retryOf, type WebhookDelivery } from '../index.ts';

function delivery(asked?: string, heeded?: string): WebhookDelivery {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'WebhookDelivery',
    metadata: {
      name: 'whd-1',
      namespace: 'acme',
      uid: 'uid-1',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-11-20T12:00:00Z',
      ...(asked !== undefined && { annotations: { [RETRY_ANNOTATION]: asked } }),
    },
    spec: {
      event: { id: 'evt-1', type: 'webhook.test', createdAt: '2026-11-20T12:00:00Z', payload: '{}' },
      url: 'https://hooks.example.com/',
    },
    ...(heeded !== undefined && { status: { retry: heeded } }),
  };
}

/** Returns a string as the API server stores it: UTF-8. */
const stored = (text = '') => new TextDecoder().decode(new TextEncoder().encode(text));

it("A WebhookDelivery's retry annotation requests a retry until its value is handled", () => {
  expect(isRetryAsked(delivery())).toBe(false);
  expect(isRetryAsked(delivery('1'))).toBe(true);
  expect(isRetryAsked(delivery('1', '1'))).toBe(false);
  expect(isRetryAsked(delivery('2', '1'))).toBe(true);
});

it.each([
  ['more characters than the status keeps', 'a'.repeat(300)],
  ['a character across the end of the kept part', `${'a'.repeat(255)}😀`],
])("A WebhookDelivery's retry annotation is handled once if its value has %s", (_what, asked) => {
  const heeded = stored(retryOf(delivery(asked)));
  expect(heeded.length).toBe(256);
  expect(isRetryAsked(delivery(asked, heeded))).toBe(false);
});
