import { badAnswer, S3Error } from './s3-error.ts';
import { nameOf } from './s3-names.ts';
import { firstText, isDocument, pieces } from './s3-xml.ts';

/**
 * Returns the body of a request that deletes these keys. The names need no escaping, because the port's keys contain no
 * markup.
 */
export function deleteRequest(keys: readonly string[]): string {
  const objects = keys.map((key) => `<Object><Key>${nameOf(key)}</Key></Object>`);
  return `<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`;
}

/** Throws ObjectStoreError for the first key that was not deleted, and when the response is not a DeleteResult. */
export function assertDeleted(what: string, xml: string): void {
  if (!isDocument(xml, 'DeleteResult'))
    throw badAnswer(what, 'the answer says nothing about what was deleted');
  for (const entry of pieces(xml, 'Error')) {
    const code = firstText(entry, 'Code') ?? '';
    if (code !== 'NoSuchKey') throw new S3Error(what, 200, code, firstText(entry, 'Message'));
  }
}
