import { indexPrefix } from '@trifold/crds';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryStore } from '../testing/temporary-store.ts';
import { deleteExpiredIndexes } from './expired-indexes.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
let temporary: ReturnType<typeof temporaryStore>;
beforeEach(() => {
  temporary = temporaryStore();
});
afterEach(() => temporary.remove());

it('deletes a day of the index when the work of its last moment has expired', async () => {
  const { store } = temporary;
  const index = new WorkIndex(store);
  const lastMoment = new Date('2026-11-21T23:59:59.999Z');
  await index.add('acme', 'documents', [{}], lastMoment);
  await index.markDeleted('acme', 'gen-1', lastMoment);
  await index.add('acme', 'documents', [{}], new Date('2026-11-22T00:00:00.000Z'));
  expect(await deleteExpiredIndexes(store, new Date('2026-11-23T00:59:59.999Z'), logger)).toBe(0);
  expect(await deleteExpiredIndexes(store, new Date('2026-11-23T01:00:00.000Z'), logger)).toBe(2);
  const { objects } = await store.list('index/');
  expect(objects.map(({ key }) => key)).toEqual([
    expect.stringContaining(indexPrefix('acme', new Date('2026-11-22T12:00:00Z'))),
  ]);
});
