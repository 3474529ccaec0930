import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchItemKey, dataKey } from '@trifold/crds';
import { inParallel } from '@trifold/platform/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { canonicalJson } from '@trifold/platform/templates/canonical-json.ts';
import type { ErrorDetail } from '../errors/api-error.ts';
import { filledTooLarge, jsonOfFilled } from '../generation/filled-data.ts';
import { dataInvalid, type PreparedTemplate } from '../generation/prepared-templates.ts';
import type { BatchBody, BatchItem } from './batch-body.ts';

/** How many problems are told at most, of all items together. */
const MOST_DETAILS = 100;
/** How many items are on their way to the object store at a time. */
const PUTS_AT_ONCE = 8;

/**
 * The data of every item as it is kept: with the defaults of the schema filled in, as JSON. What the schema refuses is
 * told place by place (`/items/17/data/total`). Other requests have their turn between two items. Throws ApiError
 * `data_invalid`, or `body_too_large` when all of it has more than `most` bytes.
 */
export async function filledItems(
  { dataSchema }: PreparedTemplate,
  items: readonly BatchItem[],
  most: number,
): Promise<Buffer[]> {
  const details: ErrorDetail[] = [];
  for (const [index, { data }] of items.entries()) {
    details.push(...dataSchema.apply(data, `/items/${index}/data`));
    if (details.length >= MOST_DETAILS) break;
    await nextTurn();
  }
  if (details.length > 0) throw dataInvalid(details.slice(0, MOST_DETAILS));
  const filled: Buffer[] = [];
  let left = most;
  for (const { data } of items) {
    const json = jsonOfFilled(data, most);
    left -= json.byteLength;
    if (left < 0) throw filledTooLarge(most);
    filled.push(json);
    await nextTurn();
  }
  return filled;
}

/** Puts the data of every item where its batch refers to it. Rejects with ObjectStoreError. */
export async function putItems(
  store: ObjectStore,
  itemsPrefix: string,
  filled: readonly Uint8Array[],
): Promise<void> {
  await inParallel(filled.entries(), PUTS_AT_ONCE, async ([index, json]) => {
    await store.put(dataKey(batchItemKey(itemsPrefix, index)), json, { contentType: 'application/json' });
  });
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
