import { ObjectStoreError, type PutOptions } from './port.ts';
import { metadataEntrySize } from './s3/s3-metadata.ts';

/**
 * Combined limit for names and values, in bytes as S3 counts them. It is the same for all adapters, so that each
 * accepts the same metadata.
 */
export const METADATA_LIMIT = 2048;

export const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

const NAME = /^[a-z0-9-]{1,128}$/;
const CONTENT_TYPE = /^[\x20-\x7e]{1,255}$/;

/** Throws ObjectStoreError `invalid_metadata` for metadata or a content type that violates the rules of the port. */
export function assertMetadata({ contentType, metadata }: PutOptions): void {
  if (contentType !== undefined && !CONTENT_TYPE.test(contentType)) {
    throw invalid('the content type must be 1 to 255 printable ASCII characters');
  }
  for (const [name, value] of Object.entries(metadata ?? {})) {
    if (!NAME.test(name)) {
      throw invalid(
        `the name ${JSON.stringify(name)} has characters other than lowercase letters, digits and hyphens`,
      );
    }
    if (typeof value !== 'string') throw invalid(`the value of ${name} is not a string`);
  }
  const size = metadataSize(metadata ?? {});
  if (size > METADATA_LIMIT)
    throw invalid(`${size} bytes of names and values, as S3 counts them; the limit is ${METADATA_LIMIT}`);
}

/** Returns the size of names and values together, in bytes as S3 counts them. */
export function metadataSize(metadata: Readonly<Record<string, string>>): number {
  return Object.entries(metadata).reduce((sum, [name, value]) => sum + metadataEntrySize(name, value), 0);
}

function invalid(reason: string): ObjectStoreError {
  return new ObjectStoreError('invalid_metadata', `object metadata: ${reason}`);
}
