import { batchItemKey, dataKey } from '@trifold/crds';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

/** How many items are on their way to the object store at a time. */
const PUTS_AT_ONCE = 8;

/** JSON Pointer of the data of an item in the body of its batch. */
export function itemPointer(index: number): string {
  return `/items/${index}/data`;
}

/**
 * Puts the data of the items after the first where their batch refers to it; data that is there stays. Rejects with
 * ObjectStoreError.
 */
export async function putOtherItems(
  store: ObjectStore,
  itemsPrefix: string,
  others: readonly Uint8Array[],
): Promise<void> {
  await inParallel(others.entries(), PUTS_AT_ONCE, async ([place, json]) => {
    const key = dataKey(batchItemKey(itemsPrefix, place + 1));
    await store.put(key, json, { contentType: 'application/json', ifAbsent: true });
  });
}
