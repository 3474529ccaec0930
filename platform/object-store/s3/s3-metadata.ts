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

/** Returns an entry's size in S3 in bytes, counted as the strictest store does: including the header's prefix. */
export function metadataEntrySize(name: string, value: string): number {
  return HEADER.length + name.length + encodeMetadataValue(value).length;
}

/** Encodes metadata as request headers. */
export function encodeMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [HEADER + name, encodeMetadataValue(value)]),
  );
}

/**
 * A presigned request cannot contain metadata that is known only when it is sent: S3 requires a signature for each
 * `x-amz-` header. Content-Disposition needs none, every store keeps it, and nothing else here uses it.
 */
const ADDED_HEADER = 'content-disposition';
const ADDED = 'inline; trifold=';
/** The holder of a presigned request may add only these, so it cannot change what the dispatcher recorded. */
const ADDABLE = /^result-/;

/** Encodes entries that are added to presigned metadata as request headers. */
export function encodeAddedMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return { [ADDED_HEADER]: ADDED + Buffer.from(JSON.stringify(addable(metadata))).toString('base64url') };
}

function addable(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(metadata).filter(([name]) => ADDABLE.test(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function decodeAddedMetadata(header: string): Record<string, string> {
  if (!header.startsWith(ADDED)) return {};
  try {
    return addable(JSON.parse(Buffer.from(header.slice(ADDED.length), 'base64url').toString()) ?? {});
  } catch {
    return {};
  }
}

/** Decodes the metadata in response headers. */
export function decodeMetadata(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const signed = Object.entries(headers)
    .filter(([name]) => name.startsWith(HEADER))
    .map(([name, value]) => [name.slice(HEADER.length), decodeMetadataValue(String(value))]);
  return { ...decodeAddedMetadata(String(headers[ADDED_HEADER])), ...Object.fromEntries(signed) };
}

function decodeMetadataValue(value: string): string {
  if (!value.startsWith(ENCODED)) return value;
  return Buffer.from(value.slice(ENCODED.length), 'base64url').toString();
}
