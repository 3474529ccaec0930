import { expect, it } from 'vitest';
import { encodeEvent, eventIdOf, type WebhookEvent } from './events.ts';
import { CLIENT_METADATA_RULE } from './schema/client-metadata.ts';
import { isId, timeOfId } from './ids.ts';
import { deliveryNameOf, deliveryOf, MAX_PAYLOAD_LENGTH } from './kinds/webhook-delivery.ts';

const AT = new Date('2026-11-21T12:00:00.123Z');
const UID = 'a8f5c3e2-4b1d-4c67-9f3a-2e8d7b6c5a41';
const ENDPOINT = { endpointRef: { name: 'account', uid: '0d2b7c16-93e4-4f0e-8a55-6c1f9be0d3a7' } };

const failed = (message: string, metadata: Record<string, string> = {}): WebhookEvent<'document.failed'> => ({
  id: eventIdOf('document.failed', { uid: UID, at: AT }),
  type: 'document.failed',
  createdAt: AT,
  data: {
    id: 'gen-1',
    status: 'failed',
    template_id: 't'.repeat(253),
    status_url: '/v1/generate/gen-1',
    error: { code: 'render_failed', message },
    created_at: AT.toISOString(),
    metadata,
  },
});

it("An event ID is a valid ID with the event's time and is the same on every call", () => {
  const id = eventIdOf('document.completed', { uid: UID, at: AT });
  expect(isId('evt', id)).toBe(true);
  expect(timeOfId(id)).toEqual(AT);
  expect(eventIdOf('document.completed', { uid: UID, at: new Date(AT) })).toBe(id);
});

it('An event ID differs for a different object, type, time or number', () => {
  const ids = [
    eventIdOf('batch.progress', { uid: UID, at: AT }),
    eventIdOf('batch.progress', { uid: UID, at: AT, number: 1 }),
    eventIdOf('batch.completed', { uid: UID, at: AT }),
    eventIdOf('batch.progress', { uid: `${UID}0`, at: AT }),
    eventIdOf('batch.progress', { uid: UID, at: new Date(AT.getTime() + 1) }),
  ];
  expect(new Set(ids).size).toBe(5);
});

it('the longest possible event fits into a WebhookDelivery', () => {
  const names = Array.from({ length: 20 }, (_, index) => String.fromCharCode(index).repeat(40));
  const metadata = Object.fromEntries(
    names.map((name, index) => [name, '\u0001'.repeat(index < 19 ? 11 : 15)]),
  );
  expect(CLIENT_METADATA_RULE.holds(metadata, {})).toBe(true);
  expect(encodeEvent(failed('\u0001'.repeat(4096), metadata)).length).toBeLessThan(MAX_PAYLOAD_LENGTH);
});

it('A WebhookDelivery has the same name for the same event and endpoint and a different name otherwise', () => {
  const event = failed('x');
  const other = { ...event, id: eventIdOf('document.failed', { uid: 'other', at: AT }) };
  const names = [
    deliveryNameOf(event, ENDPOINT),
    deliveryNameOf(other, ENDPOINT),
    deliveryNameOf(event, { endpointRef: { name: 'account', uid: 'another' } }),
    deliveryNameOf(event, { url: 'https://example.com/' }),
  ];
  expect(new Set(names).size).toBe(4);
  expect(deliveryNameOf({ ...event }, { ...ENDPOINT })).toBe(names[0]);
  expect(names.every((name) => isId('whd', name))).toBe(true);
});

it('A WebhookDelivery carries the exact bytes of the body', () => {
  const event = failed('x');
  const draft = deliveryOf('acme', event, ENDPOINT);
  expect(draft.metadata).toEqual({ name: deliveryNameOf(event, ENDPOINT), namespace: 'acme' });
  expect(draft.spec).toMatchObject({ ...ENDPOINT, event: { id: event.id, payload: encodeEvent(event) } });
  expect(draft.spec.url).toBeUndefined();
});
