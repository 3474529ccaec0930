import { createHash } from 'node:crypto';

/** Writes JSON with every object's properties sorted by name, so that equal content produces equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isPlainObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

/** Returns the SHA-256 as lowercase hexadecimal. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}
