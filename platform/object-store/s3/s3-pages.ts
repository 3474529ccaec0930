import { assertPrefix } from '../object-key.ts';
import { PAGE_SIZE, type ListPage } from '../port.ts';
import { operationAdvice } from './s3-advice.ts';
import { badResponse, S3Error } from './s3-error.ts';
import { isValid, nameOf, objectStoreKey } from './s3-object.ts';
import { operationOf } from './s3-operation.ts';
import { elements, firstText, parseWhole, type XmlNode } from './s3-xml.ts';

/** One page of a listing: at most 1000 objects, which is S3's limit for lists and deletions. */
export interface S3Page extends ListPage {
  /** Token of the next page; undefined after the last. */
  readonly next: string | undefined;
}

/** Returns the query for a page. */
export function listQuery(prefix: string, delimiter?: string, next?: string): Record<string, string> {
  return {
    'list-type': '2',
    'max-keys': String(PAGE_SIZE),
    prefix,
    ...(delimiter !== undefined && { delimiter }),
    ...(next !== undefined && { 'continuation-token': next }),
  };
}

/**
 * Parses a page of ListObjectsV2, ordered by name. Skips objects that this store did not create. Times are in whole
 * seconds, as in the response for a single object. Throws ObjectStoreError if the text is not such a page.
 */
export function readListPage(what: string, xml: string): S3Page {
  const list = parseWhole(xml, 'ListBucketResult');
  if (!list) throw badResponse(what, 'the response is not a list of objects');
  const objects = elements(list, 'Contents').flatMap((entry) => readEntry(what, entry));
  const prefixes = elements(list, 'CommonPrefixes')
    .map((entry) => firstText(entry, 'Prefix') ?? '')
    .filter((prefix) => isValid(assertPrefix, prefix));
  const next = firstText(list, 'NextContinuationToken');
  const more = firstText(list, 'IsTruncated') === 'true';
  if (more && !next) throw badResponse(what, 'the object list is truncated but has no continuation token');
  return { objects, prefixes, next: more ? next : undefined };
}

function readEntry(what: string, entry: XmlNode): { key: string; size: number; lastModified: Date }[] {
  const key = objectStoreKey(firstText(entry, 'Key') ?? '');
  const size = Number(firstText(entry, 'Size'));
  const milliseconds = Date.parse(firstText(entry, 'LastModified') ?? '');
  if (!Number.isSafeInteger(size) || Number.isNaN(milliseconds)) {
    throw badResponse(what, 'an entry in the object list has no size or time');
  }
  if (key === undefined) return [];
  return [{ key, size, lastModified: new Date(Math.floor(milliseconds / 1000) * 1000) }];
}

/** Returns the body of a request that deletes a page of objects. Names contain no markup, so nothing is escaped. */
export function deleteRequest({ objects }: S3Page): Buffer {
  const entries = objects.map(({ key }) => `<Object><Key>${nameOf(key)}</Key></Object>`);
  return Buffer.from(`<Delete><Quiet>true</Quiet>${entries.join('')}</Delete>`);
}

/** Throws ObjectStoreError for the first key that was not deleted, or if the response is not a DeleteResult. */
export function assertDeleted(what: string, xml: string): void {
  const result = parseWhole(xml, 'DeleteResult');
  if (!result) throw badResponse(what, 'the response does not list the deleted objects');
  for (const entry of elements(result, 'Error')) {
    const code = firstText(entry, 'Code') ?? '';
    if (code !== 'NoSuchKey') {
      const message = firstText(entry, 'Message') ?? '';
      const advice = operationAdvice(operationOf({ method: 'POST', query: { delete: '' } }), code);
      throw new S3Error(what, 200, code, { message, advice });
    }
  }
}
