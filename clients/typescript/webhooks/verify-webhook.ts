import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './events.ts';

/** Reason why a delivery is rejected. */
export type VerificationFailure =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'signature_mismatch'
  | 'timestamp_out_of_tolerance'
  | 'malformed_payload';

/** A delivery that must not be processed: respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Headers from Fetch, Node's http or a framework; names are case-insensitive. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A received delivery and the inputs for verifying it. */
export interface Delivery {
  /** The raw body, before any parsing. */
  readonly payload: string | Uint8Array;
  readonly headers: DeliveryHeaders;
  /** The webhook's secret, which the service showed once. */
  readonly secret: string;
  /**
   * Maximum difference between the timestamp and now, in either direction, in milliseconds. @default 300_000, five
   * minutes
   */
  readonly toleranceMs?: number | undefined;
  /** Current time in milliseconds since 1970. @default Date.now() */
  readonly now?: number | undefined;
}

const FIVE_MINUTES_MS = 5 * 60 * 1000;

/**
 * Verifies that a delivery is authentic and recent, and returns its event (interface, "Signature verification"). For a
 * day after a rotation, deliveries are also signed with the old secret, so that receivers that still use the old one
 * keep working. An event may arrive more than once: remember its `id`. Throws WebhookVerificationError, and TypeError
 * for an invalid argument.
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
    const message = "No signature matches. Check the webhook's secret, and pass the raw request body.";
    throw new WebhookVerificationError('signature_mismatch', message);
  }
  // The age is checked last: only an authentic delivery is reported as too old.
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs) {
    const message =
      "The delivery's timestamp is too far from the current time. It may be a replay, or a clock may be wrong.";
    throw new WebhookVerificationError('timestamp_out_of_tolerance', message);
  }
  return eventIn(payload);
}

function checkArguments(payload: unknown, secret: unknown): void {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) {
    throw new TypeError('payload must be the raw request body (string or bytes), not the parsed JSON');
  }
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret must be a non-empty string');
}

function requiredHeader(headers: DeliveryHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value !== undefined) return value;
  throw new WebhookVerificationError('missing_header', `The delivery must have exactly one ${name} header.`);
}

/** Returns a header that occurs exactly once. */
function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? values[0] : undefined;
}

/** Also accepts `Headers` from other Fetch implementations. */
function isHeaders(headers: DeliveryHeaders): headers is Headers {
  return typeof headers['get' as keyof DeliveryHeaders] === 'function';
}

/** Compares in constant time; a signature of a different length is not from the service. */
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
    // Reported below, like any other body that is not an event.
  }
  throw new WebhookVerificationError(
    'malformed_payload',
    'The body has a valid signature but is not an event.',
  );
}
