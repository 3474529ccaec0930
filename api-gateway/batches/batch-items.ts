import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchItemKey, dataKey } from '@trifold/crds';
import { inParallel } from '@trifold/platform/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { canonicalJson } from '@trifold/platform/templates/canonical-json.ts';
import type { ErrorDetail } from '../errors/api-error.ts';
import { filledTooLarge, hasMoreBytes, itemTooLarge, jsonOfFilled } from '../generation/filled-data.ts';
import { dataInvalid, type PreparedTemplate } from '../generation/prepared-templates.ts';
import type { BatchBody, BatchItem } from './batch-body.ts';

/** How many problems are told at most, of all items together. */
const MOST_DETAILS = 100;
/** How many items are on their way to the object store at a time. */
const PUTS_AT_ONCE = 8;

/** Bytes that data may have as JSON, with the defaults of its schema. */
export interface DataLimits {
  /** Of one item, as of a single document: so long the service does nothing else. */
  readonly each: number;
  readonly together: number;
}

/**
 * The data of every item as it is kept: with the defaults of the schema filled in, as JSON. What the schema refuses is
 * told place by place (`/items/17/data/total`). Other requests have their turn between two items. Throws ApiError
 * `data_invalid`, or `body_too_large` for what is over the limits.
 */
export async function filledItems(
  { dataSchema }: PreparedTemplate,
  items: readonly BatchItem[],
  limits: DataLimits,
): Promise<Buffer[]> {
  const details: ErrorDetail[] = [];
  for (const [index, item] of items.entries()) {
    assertItemSize(item, index, limits);
    details.push(...dataSchema.apply(item.data, pathOf(index)));
    if (details.length >= MOST_DETAILS) break;
    await nextTurn();
  }
  if (details.length > 0) throw dataInvalid(details.slice(0, MOST_DETAILS));
  const filled: Buffer[] = [];
  let left = limits.together;
  for (const [index, { data }] of items.entries()) {
    const json = jsonOfFilled(data, limits.each, pathOf(index));
    left -= json.byteLength;
    if (left < 0) throw filledTooLarge(limits.together);
    filled.push(json);
    await nextTurn();
  }
  return filled;
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

/**
 * SHA-256 of a body, the same however its members are ordered. Item by item, for the other requests' sake. Throws
 * ApiError `body_too_large` for an item that is over its limit.
 */
export async function fingerprintOf(
  { items, ...others }: BatchBody,
  limits: Pick<DataLimits, 'each'>,
): Promise<string> {
  const hash = createHash('sha256').update(canonicalJson({ ...others, items: items.length }));
  for (const [index, item] of items.entries()) {
    assertItemSize(item, index, limits);
    hash.update('\n').update(canonicalJson(item));
    await nextTurn();
  }
  return hash.digest('hex');
}

function assertItemSize({ data }: BatchItem, index: number, { each }: Pick<DataLimits, 'each'>): void {
  if (hasMoreBytes(data, each)) throw itemTooLarge(each, pathOf(index));
}

function pathOf(index: number): string {
  return `/items/${index}/data`;
}
