import { batchItemKey, dataKey } from '@trifold/crds';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

/** Maximum number of concurrent uploads to the object store. */
const PUTS_AT_ONCE = 8;

/** JSON Pointer of an item's data in the body of its batch. */
export function itemPointer(index: number): string {
  return `/items/${index}/data`;
}

/**
 * Stores the data of all items after the first where the batch refers to it; existing data stays. Rejects with
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
