import type { Batch } from '@trifold/crds';
import { expect, it } from 'vitest';
import { createdAtOf, expiresAtOf, ownItemsPrefix } from './accepted-work.ts';

/** An ID whose time is noon on November 21, 2026. */
const NOON_ID = 'bat-01m7yzmhg0vaqj9wbz3kmt47vc';

function batch(name: string, creationTimestamp: string, expiresAt?: string): Batch {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'Batch',
    metadata: { name, namespace: 'acme', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp },
    spec: {
      templateRef: { name: 'invoice' },
      revision: 'a'.repeat(64),
      version: 1,
      itemsRef: { prefix: 'p/', size: 1 },
      total: 1,
      ...(expiresAt !== undefined && { expiresAt }),
    },
  };
}

const created = (made: Batch) => createdAtOf(made).toISOString();

it("A batch's acceptance time is the time in its ID, even if the resource is newer", () => {
  expect(created(batch(NOON_ID, '2026-11-21T12:00:00Z'))).toBe('2026-11-21T12:00:00.000Z');
  expect(created(batch(NOON_ID, '2026-11-22T09:00:00Z'))).toBe('2026-11-21T12:00:00.000Z');
  expect(created(batch(NOON_ID, '2026-11-21T11:56:00Z'))).toBe('2026-11-21T12:00:00.000Z');
});

it("A batch's acceptance time is the resource's creation time if the name is not an ID or is an ID from the future", () => {
  for (const name of ['letters', NOON_ID]) {
    const made = batch(name, '2026-01-01T00:00:00Z');
    expect(ownItemsPrefix(made)).toBeUndefined();
    expect(created(made)).toBe('2026-01-01T00:00:00.000Z');
    expect(expiresAtOf(made).toISOString()).toBe('2026-01-02T00:00:00.000Z');
  }
});

it('Batch files expire 24 hours after acceptance, or earlier if the spec says so', () => {
  const expires = (expiresAt?: string) =>
    expiresAtOf(batch(NOON_ID, '2026-11-21T12:00:00Z', expiresAt)).toISOString();
  expect(expires()).toBe('2026-11-22T12:00:00.000Z');
  expect(expires('2026-11-21T13:00:00Z')).toBe('2026-11-21T13:00:00.000Z');
  expect(expires('2036-01-01T00:00:00Z')).toBe('2026-11-22T12:00:00.000Z');
  expect(expires('2026-11-21T13:00:00+99:99')).toBe('2026-11-22T12:00:00.000Z');
});
