import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './events.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** Headers as Fetch, Node's http or a framework gives them; names in any case. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What came to a webhook, and what it is held against. */
export interface Delivery {
  /** The body as it came, before anything parsed it. */
  readonly payload: string | Uint8Array;
  readonly headers: DeliveryHeaders;
  /** The secret of the webhook, as it was shown once. */
  readonly secret: string;
  /** How far the timestamp may be from now, before or after, in milliseconds. @default 300_000, five minutes */
  readonly toleranceMs?: number | undefined;
  /** Now, in milliseconds since 1970. @default Date.now() */
  readonly now?: number | undefined;
}

const FIVE_MINUTES_MS = 5 * 60 * 1000;

/**
 * The event of a delivery that is the service's and fresh (interface, "Signature verification"). For a day after the
 * secret was replaced, deliveries are signed with the old one too, so that a receiver which still has it goes on.
 * An event may come more than once: remember its `id`. Throws WebhookVerificationError, and a TypeError when it is given
 * what is not a delivery.
 */
export function verifyWebhook(delivery: Delivery): WebhookEvent {
  const { payload, headers, secret, toleranceMs = FIVE_MINUTES_MS, now = Date.now() } = delivery;
  checkArguments(payload, secret);
  const timestamp = requiredHeader(headers, 'X-Trifold-Timestamp');
  const signatures = [
    requiredHeader(headers, 'X-Trifold-Signature'),
    headerOf(headers, 'X-Trifold-Signature-Previous') ?? '',
  ];
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      'malformed_timestamp',
      'X-Trifold-Timestamp is not a Unix time in seconds.',
    );
  }
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(payload).digest('hex');
  if (!signatures.some((signature) => isSame(signature, expected))) {
    const message = 'No signature fits. Is it the secret of this webhook, and the body as it came?';
    throw new WebhookVerificationError('signature_mismatch', message);
  }
  // Only of a delivery that is genuine is it said that it is old.
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs) {
    const message =
      'The delivery is older, or newer, than is allowed: a repetition, or a clock that is wrong.';
    throw new WebhookVerificationError('timestamp_out_of_tolerance', message);
  }
  return eventIn(payload);
}

function checkArguments(payload: unknown, secret: unknown): void {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) {
    throw new TypeError('payload must be the body as it came, a text or bytes, not what was parsed from it');
  }
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError('secret must be a text that is not empty');
}

function requiredHeader(headers: DeliveryHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value !== undefined) return value;
  throw new WebhookVerificationError(
    'missing_header',
    `The delivery has no header ${name}, or more than one.`,
  );
}

/** A header that is there exactly once. */
function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? values[0] : undefined;
}

/** Also those of another implementation of Fetch. */
function isHeaders(headers: DeliveryHeaders): headers is Headers {
  return typeof headers['get' as keyof DeliveryHeaders] === 'function';
}

/** Compared in constant time; a signature of another length was not made by the service. */
function isSame(signature: string, expected: string): boolean {
  const given = Buffer.from(signature);
  const wanted = Buffer.from(expected);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function eventIn(payload: string | Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(Buffer.from(payload as Uint8Array).toString()) as WebhookEvent;
    if (typeof event.id === 'string' && typeof event.type === 'string') return event;
  } catch {
    // Told below, as every other body that is no event.
  }
  throw new WebhookVerificationError('malformed_payload', 'The body is signed, but is not an event.');
}
