/**
 * S3 keeps metadata in HTTP headers, and what happens there to anything but plain ASCII differs from store to store
 * (Amazon recodes it, others trim or refuse it). So a value that is not plain travels as `base64:` and its UTF-8 in
 * base64url, which every store keeps as it is.
 */
const HEADER = 'x-amz-meta-';
const ENCODED = 'base64:';

/** Printable ASCII without blanks at the ends or two in a row, which signatures take together. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** A metadata value as it is kept in a header. */
export function encodeMetadataValue(value: string): string {
  if (PLAIN.test(value) && !value.startsWith(ENCODED)) return value;
  return ENCODED + Buffer.from(value).toString('base64url');
}

/** Bytes that an entry takes in S3, counted as the strictest store does: with the header's prefix. */
export function metadataEntrySize(name: string, value: string): number {
  return HEADER.length + name.length + encodeMetadataValue(value).length;
}

/** Metadata as headers of a request. */
export function encodeMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [HEADER + name, encodeMetadataValue(value)]),
  );
}

/** The metadata in the headers of an answer. */
export function decodeMetadata(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(HEADER))
      .map(([name, value]) => [name.slice(HEADER.length), decodeMetadataValue(String(value))]),
  );
}

function decodeMetadataValue(value: string): string {
  if (!value.startsWith(ENCODED)) return value;
  return Buffer.from(value.slice(ENCODED.length), 'base64url').toString();
}
