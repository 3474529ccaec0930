import { MAX_BATCH_ITEMS, MAX_OTHER_VALUES } from '@trifold/crds/limits.ts';
import { RawJson } from './raw-json.ts';
import { hasMoreValues } from './json-size.ts';
import { writeDoubles, writeRawIntegers, type ParsedJson } from './long-integers.ts';
import { InvalidJson, parseJson, type JsonProblem } from './parse-json.ts';
import { createHash } from 'node:crypto';
import { canonicalJson, sha256Hex } from '../templating/revisions/canonical-json.ts';

type Members = Record<string, unknown>;

/** Names of the body's lists whose elements have data. */
const LISTS = ['items', 'samples'] as const;
type DataLists = Partial<Record<(typeof LISTS)[number], readonly (Uint8Array | undefined)[]>>;

/** A body that was separated from its data. */
export type BodyReading =
  | {
      readonly status: 'read';
      /** The body, with an empty object in place of each `data`. */
      readonly body: unknown;
      /** JSON text of the body's `data`. */
      readonly data?: Uint8Array;
      /** JSON text of each element's `data` in the body's lists. */
      readonly lists: DataLists;
      /** Whether any data has integers that a double cannot represent. */
      readonly hasLongIntegers: boolean;
      /** `bodyFingerprint` of the whole body, if requested. */
      readonly fingerprint?: string;
    }
  | { readonly status: 'invalid'; readonly message: string; readonly problem?: JsonProblem }
  | { readonly status: 'too_many_values' };

/** Parses a body and separates its data from the rest. Runs in a check process. */
export function readLargeBody(bytes: Uint8Array, withFingerprint: boolean): BodyReading {
  try {
    const parsed = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return separateData(parsed, withFingerprint);
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    const { message, problem } = error;
    return { status: 'invalid', message, ...(problem && { problem }) };
  }
}

/** Separates the data of a body, with all digits of its integers, from the rest. Changes the parsed value. */
export function separateData(
  { value: body, longIntegers }: ParsedJson,
  withFingerprint: boolean,
): Exclude<BodyReading, { status: 'invalid' }> {
  const hasLongIntegers = longIntegers.length > 0;
  const common = { status: 'read', body, lists: {}, hasLongIntegers } as const;
  if (!isMembers(body)) return hasTooMany(body) ? { status: 'too_many_values' } : common;
  writeRawIntegers(longIntegers);
  const fingerprint = withFingerprint ? { fingerprint: bodyFingerprint(body) } : {};
  const data = takeData(body);
  const lists = takeLists(body);
  // Elsewhere, numbers are doubles.
  writeDoubles(longIntegers);
  if (hasTooMany(body)) return { status: 'too_many_values' };
  return { ...common, ...(data && { data }), lists, ...fingerprint };
}

/** Returns a body that was read, with RawJson in place of each data object. */
export function bodyOf(reading: Extract<BodyReading, { status: 'read' }>): unknown {
  const { body, data, lists, hasLongIntegers } = reading;
  const put = (holder: object, json: Uint8Array) =>
    Object.assign(holder, { data: new RawJson(json, hasLongIntegers) });
  if (data) put(body as object, data);
  for (const [name, list] of Object.entries(lists)) {
    const elements = (body as Record<string, object[]>)[name] ?? [];
    for (const [index, json] of list.entries()) if (json) put(elements[index] ?? {}, json);
  }
  return body;
}

/** An array in place of data is rejected, regardless of its content. */
function takeData(members: Members): Buffer | undefined {
  const { data } = members;
  if (Array.isArray(data)) members['data'] = [];
  if (!isMembers(data)) return undefined;
  members['data'] = {};
  return Buffer.from(JSON.stringify(data));
}

/** Keeps one element more than a list may have, which is enough to reject the body. */
function takeLists(body: Members): DataLists {
  const lists: DataLists = {};
  for (const name of LISTS) {
    const list = body[name];
    if (!Array.isArray(list)) continue;
    const kept = list.slice(0, MAX_BATCH_ITEMS + 1) as unknown[];
    body[name] = kept;
    lists[name] = kept.map((element) => (isMembers(element) ? takeData(element) : undefined));
  }
  return lists;
}

function hasTooMany(body: unknown): boolean {
  return hasMoreValues(body, MAX_OTHER_VALUES);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Returns the SHA-256 of a body, independent of property order. Batch items are hashed one by one. */
export function bodyFingerprint(body: object): string {
  const { items, ...others } = body as { items?: unknown };
  if (!Array.isArray(items)) return sha256Hex(canonicalJson(body));
  const hash = createHash('sha256').update(canonicalJson({ ...others, items: items.length }));
  for (const item of items) hash.update('\n').update(canonicalJson(item));
  return hash.digest('hex');
}
