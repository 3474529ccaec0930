import { createHmac } from 'node:crypto';

/** A delivery that a receiver may get, and whether it is genuine. */
export interface ExampleDelivery {
  readonly name: string;
  readonly payload: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The receiver's secret. */
  readonly secret: string;
  /** Number of seconds by which the receiver's clock is behind the sender's. */
  readonly clockBehind: number;
  readonly genuine: boolean;
}

const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuv';
const OLD_SECRET = 'whsec_old';
export const EVENT_ID = 'evt-01m7yr49t05sn33s4xqw4wbxgv';
const PAYLOAD = JSON.stringify({
  id: EVENT_ID,
  type: 'document.completed',
  created_at: '2026-11-21T09:59:59.000Z',
  api_version: '2026-11-01',
  data: { id: 'gen-1', status: 'completed', note: 'Łódź \u{1f9fe} "quoted"\\' },
});

/** Returns the table for all languages; `sentAt` is the sender's clock time in seconds since 1970. */
export function exampleDeliveries(sentAt: number): ExampleDelivery[] {
  const stamp = String(sentAt);
  const signature = sign(stamp, PAYLOAD);
  const previous = { 'X-Trifold-Signature-Previous': sign(stamp, PAYLOAD, OLD_SECRET) };
  const flipped = (signature.startsWith('0') ? '1' : '0') + signature.slice(1);

  const delivery = (name: string, genuine: boolean, more: Partial<ExampleDelivery> = {}): ExampleDelivery => {
    const payload = more.payload ?? PAYLOAD;
    const headers = {
      'X-Trifold-Signature': sign(stamp, payload),
      'X-Trifold-Timestamp': stamp,
      'X-Trifold-Event': 'document.completed',
      'X-Trifold-Delivery-ID': 'dlv-1',
      'Content-Type': 'application/json',
      ...more.headers,
    };
    return { secret: SECRET, clockBehind: 0, ...more, name, genuine, payload, headers };
  };
  const signedAs = (value: string) => ({ headers: { 'X-Trifold-Signature': value } });
  const stampedAs = (value: string) => ({
    headers: { 'X-Trifold-Timestamp': value, 'X-Trifold-Signature': sign(value, PAYLOAD) },
  });

  return [
    delivery('as it is sent', true),
    delivery('with space around the JSON', true, { payload: ` ${PAYLOAD}\r\n` }),
    delivery('four minutes late', true, { clockBehind: -240 }),
    delivery('four minutes early', true, { clockBehind: 240 }),
    delivery('while the secret is replaced, to one with the new secret', true, { headers: previous }),
    delivery('while the secret is replaced, to one with the old secret', true, {
      headers: previous,
      secret: OLD_SECRET,
    }),
    delivery('to one with the old secret, later', false, { secret: OLD_SECRET }),
    delivery('with another body', false, {
      payload: PAYLOAD.replace('gen-1', 'gen-2'),
      ...signedAs(signature),
    }),
    delivery('with a body that was parsed and written again', false, {
      payload: JSON.stringify(JSON.parse(PAYLOAD), undefined, 1),
      ...signedAs(signature),
    }),
    delivery('with a signature of the body alone', false, signedAs(sign(undefined, PAYLOAD))),
    delivery('with one digit changed', false, signedAs(flipped)),
    delivery('with half a signature', false, signedAs(signature.slice(0, 32))),
    delivery('with a longer signature', false, signedAs(`${signature}0`)),
    delivery('with capital digits', false, signedAs(signature.toUpperCase())),
    delivery('with no signature', false, signedAs('')),
    delivery('with two signatures in one', false, signedAs(`${signature}, ${signature}`)),
    delivery('with another timestamp', false, {
      headers: { 'X-Trifold-Timestamp': String(sentAt + 1), 'X-Trifold-Signature': signature },
    }),
    delivery('with no timestamp', false, stampedAs('')),
    delivery('with a date for a timestamp', false, stampedAs('2026-11-21T10:00:00Z')),
    delivery('with a sign before the timestamp', false, stampedAs(`+${stamp}`)),
    delivery('with a fraction of a second', false, stampedAs(`${stamp}.5`)),
    delivery('six minutes late: sent again by somebody', false, { clockBehind: -360 }),
    delivery('six minutes early', false, { clockBehind: 360 }),
    delivery('with the secret of nobody', false, {
      secret: '',
      ...signedAs(createHmac('sha256', '').update(`${stamp}.${PAYLOAD}`).digest('hex')),
    }),
    delivery('with a body that is not JSON', false, { payload: 'hello' }),
    delivery('with a body that is no event', false, { payload: '[]' }),
    delivery('with an empty body', false, { payload: '' }),
  ];
}

function sign(timestamp: string | undefined, payload: string, secret = SECRET): string {
  const signed = timestamp === undefined ? payload : `${timestamp}.${payload}`;
  return createHmac('sha256', secret).update(signed).digest('hex');
}
