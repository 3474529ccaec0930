import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestPlane, type TestPlane } from './testing/plane.ts';

const EVENTS = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true } as const;
const MINUTE = 60_000;

let test: TestPlane;

beforeEach(async () => {
  test = await openTestPlane();
});
afterEach(() => test.plane.close());

const create = async (name: string) => {
  const involvedObject = { kind: 'Template', namespace: 'default', name: 'invoice' };
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name }, involvedObject, eventTime: null };
  const path = test.client.builtin(EVENTS).path('default');
  await test.call({ method: 'POST', path, body: JSON.stringify({ ...event, reason: 'Compiled' }) });
};
const names = async () =>
  (await test.client.builtin(EVENTS).list()).items.map(({ metadata }) => metadata.name);

it('Events expire one hour after their last write, and no earlier', async () => {
  await create('a');
  await create('b');
  test.clock.advance(30 * MINUTE);
  await test.client.builtin(EVENTS).patch({ namespace: 'default', name: 'b' }, { count: 2 });
  test.clock.advance(29 * MINUTE);
  expect(await names()).toEqual(['a', 'b']);
  test.clock.advance(2 * MINUTE);
  expect(await names()).toEqual(['b']);
  test.clock.advance(30 * MINUTE);
  expect(await names()).toEqual([]);
});
