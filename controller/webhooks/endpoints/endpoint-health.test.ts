import type { WebhookEndpoint } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { EndpointHealth } from './endpoint-health.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;

function endpointOf(uid: string, status?: WebhookEndpoint['status']): WebhookEndpoint {
  return { metadata: { uid, name: uid, namespace: 'default' }, spec: {}, status } as WebhookEndpoint;
}

/** Returns an attempt the given time after noon. */
function attempt(afterMs: number, error?: { code: string; message: string }) {
  const at = new Date(NOON + afterMs).toISOString();
  return { deliveryId: 'dlv-1', at, durationMs: 5, ...(error && { error }) };
}

const rejected = { code: 'connection_refused', message: 'the endpoint refused the connection' };

describe('The health of an endpoint whose URL changed', () => {
  const at = (url: string, generation: number, observedGeneration?: number) =>
    ({
      metadata: { uid: 'one', generation },
      spec: { url },
      ...(observedGeneration && { status: { failures: 3, observedGeneration } }),
    }) as WebhookEndpoint;

  it('ignores late responses from the old URL', () => {
    const health = new EndpointHealth();
    const [old, moved] = [at('https://old.example.com/', 1), at('https://new.example.com/', 2)];
    health.note(old, attempt(0, rejected));
    health.see(moved);
    expect(health.of(moved)).toEqual({});
    health.note(moved, attempt(1));
    health.note(old, attempt(2, rejected));
    health.see(old);
    expect(health.of(moved)).toMatchObject({ failures: 0, lastDelivery: { delivered: true } });
  });

  it('is reset by a new URL but not by a new secret', () => {
    const health = new EndpointHealth();
    for (const generation of [1, 2]) health.see(at('https://old.example.com/', generation, 1));
    expect(health.of(at('https://old.example.com/', 2, 1))).toEqual({ failures: 3 });
  });
});

describe('Endpoint failure duration', () => {
  const one = endpointOf('one');
  const other = endpointOf('other');
  const failingAt = (health: EndpointHealth, afterMs: number) =>
    health.maxFailingMs([one, other], new Date(NOON + afterMs));

  it('is the longest time between the first and the last failed attempt to one endpoint', () => {
    const health = new EndpointHealth();
    expect(failingAt(health, 0)).toBe(0);
    for (const afterMs of [0, 2 * HOUR, 30 * HOUR]) health.note(one, attempt(afterMs, rejected));
    for (const afterMs of [25 * HOUR, 30 * HOUR]) health.note(other, attempt(afterMs, rejected));
    expect(failingAt(health, 31 * HOUR)).toBe(30 * HOUR);
    health.note(one, attempt(32 * HOUR));
    expect(failingAt(health, 32 * HOUR)).toBe(5 * HOUR);
  });

  it('is zero after one failed test without later attempts', () => {
    const health = new EndpointHealth();
    health.note(one, attempt(0, rejected));
    expect(failingAt(health, 23 * HOUR)).toBe(0);
    expect(failingAt(health, 240 * HOUR)).toBe(0);
  });

  it('is reset a day after the last attempt', () => {
    const health = new EndpointHealth();
    for (const afterMs of [0, 34 * HOUR]) health.note(one, attempt(afterMs, rejected));
    expect(failingAt(health, 58 * HOUR)).toBe(34 * HOUR);
    expect(failingAt(health, 59 * HOUR)).toBe(0);
  });

  it('is restored from the status after a restart', () => {
    const lastDelivery = { at: attempt(26 * HOUR).at, delivered: false, durationMs: 5 };
    const failingSince = attempt(0).at;
    const failing = endpointOf('one', { failures: 4, failingSince, lastDelivery });
    const now = new Date(NOON + 27 * HOUR);
    expect(new EndpointHealth().maxFailingMs([failing, other], now)).toBe(26 * HOUR);
  });
});
