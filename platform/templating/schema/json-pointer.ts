/** Escapes a property name as one segment of a JSON Pointer (RFC 6901, section 3). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
