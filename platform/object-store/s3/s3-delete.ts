import { nameOf } from './s3-names.ts';
import { S3Error } from './s3-error.ts';
import { firstText, isDocument, pieces } from './s3-xml.ts';

/**
 * Returns the body of a request that deletes these keys. The names need no escaping, because the port's keys contain no
 * markup.
 */
export function deleteRequest(keys: readonly string[]): string {
  const objects = keys.map((key) => `<Object><Key>${nameOf(key)}</Key></Object>`);
  return `<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`;
}

/** Throws for the first key that was not deleted, and when the response is not a DeleteResult. */
export function assertDeleted(xml: string): void {
  if (!isDocument(xml, 'DeleteResult')) throw new Error('the answer says nothing about what was deleted');
  const refused = pieces(xml, 'Error').map((entry) => ({
    status: 200,
    code: firstText(entry, 'Code') ?? '',
    message: firstText(entry, 'Message') ?? '',
  }));
  const [first] = refused.filter(({ code }) => code !== 'NoSuchKey');
  if (first) throw new S3Error(first);
}
