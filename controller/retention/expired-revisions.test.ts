import { revisionKey } from '@trifold/crds';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryStore } from '../testing/temporary-store.ts';
import { deleteExpiredRevisions } from './expired-revisions.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const HOUR = 3_600_000;
let temporary: ReturnType<typeof temporaryStore>;
beforeEach(() => {
  temporary = temporaryStore();
});
afterEach(() => temporary.remove());

it('deletes the revisions of a day 48 hours after its end, and not earlier', async () => {
  const { store } = temporary;
  const clock = new FakeClock('2026-11-21T23:59:59.999Z');
  const old = revisionKey('acme', 'a'.repeat(64), clock.now());
  await store.put(old, '{}');
  clock.advance(1);
  const young = revisionKey('acme', 'a'.repeat(64), clock.now());
  await store.put(young, '{}');
  clock.advance(48 * HOUR - 1);
  expect(await deleteExpiredRevisions(store, clock.now(), logger)).toBe(0);
  clock.advance(1);
  expect(await deleteExpiredRevisions(store, clock.now(), logger)).toBe(1);
  expect((await store.list('revisions/')).objects.map(({ key }) => key)).toEqual([young]);
});

it('ignores keys outside a day', async () => {
  const { store } = temporary;
  const keys = ['revisions/acme/x', 'revisions/20261399/acme/x'];
  for (const key of keys) await store.put(key, 'x');
  expect(await deleteExpiredRevisions(store, new Date('2099-01-01'), logger)).toBe(0);
});
