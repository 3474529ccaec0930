/**
 * S3 keeps metadata in HTTP headers, and stores treat anything but plain ASCII differently (Amazon recodes it, others
 * trim or reject it). Any other value is therefore sent as `base64:` and its UTF-8 in base64url, which every store
 * keeps unchanged.
 */
const HEADER = 'x-amz-meta-';
const ENCODED = 'base64:';

/** Printable ASCII without leading, trailing or repeated spaces, which signatures collapse. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** Encodes a metadata value for a header. */
export function encodeMetadataValue(value: string): string {
  if (PLAIN.test(value) && !value.startsWith(ENCODED)) return value;
  return ENCODED + Buffer.from(value).toString('base64url');
}

/** Returns the size of an entry in S3 in bytes, counted as the strictest store does: including the header's prefix. */
export function metadataEntrySize(name: string, value: string): number {
  return HEADER.length + name.length + encodeMetadataValue(value).length;
}

/** Encodes metadata as request headers. */
export function encodeMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [HEADER + name, encodeMetadataValue(value)]),
  );
}

/** Decodes the metadata in response headers. */
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
