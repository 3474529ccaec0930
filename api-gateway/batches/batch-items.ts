import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchItemKey, dataKey } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { canonicalJson } from '@trifold/platform/templates/canonical-json.ts';
import type { ErrorDetail } from '../errors/api-error.ts';
import { dataInvalid, type PreparedTemplate } from '../generation/prepared-templates.ts';
import type { BatchBody, BatchItem } from './batch-body.ts';

/** How many problems are told at most, of all items together. */
const MOST_DETAILS = 100;
/** How many items are on their way to the object store at a time. */
const PUTS_AT_ONCE = 8;

/**
 * Fills the defaults of the schema into the data of every item; what it refuses is told place by place
 * (`/items/17/data/total`). Other requests have their turn between two items. Throws ApiError `data_invalid`.
 */
export async function applySchemaToItems(
  { dataSchema }: PreparedTemplate,
  items: readonly BatchItem[],
): Promise<void> {
  const details: ErrorDetail[] = [];
  for (const [index, { data }] of items.entries()) {
    details.push(...dataSchema.apply(data, `/items/${index}/data`));
    if (details.length >= MOST_DETAILS) break;
    await nextTurn();
  }
  if (details.length > 0) throw dataInvalid(details.slice(0, MOST_DETAILS));
}

/** Puts the data of every item where its batch refers to it. Answers their bytes. Rejects with ObjectStoreError. */
export async function putItems(
  store: ObjectStore,
  itemsPrefix: string,
  items: readonly BatchItem[],
): Promise<number> {
  const left = items.entries();
  let bytes = 0;
  let failed = false;
  const putNext = async () => {
    for (const [index, { data }] of left) {
      if (failed) return;
      const json = Buffer.from(JSON.stringify(data));
      bytes += json.byteLength;
      await store.put(dataKey(batchItemKey(itemsPrefix, index)), json, { contentType: 'application/json' });
    }
  };
  const putting = async () => {
    try {
      await putNext();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: PUTS_AT_ONCE }, putting));
  return bytes;
}

/** SHA-256 of a body, the same however its members are ordered. Item by item, for the other requests' sake. */
export async function fingerprintOf({ items, ...others }: BatchBody): Promise<string> {
  const hash = createHash('sha256').update(canonicalJson({ ...others, items: items.length }));
  for (const item of items) {
    hash.update('\n').update(canonicalJson(item));
    await nextTurn();
  }
  return hash.digest('hex');
}
