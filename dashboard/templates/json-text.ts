import { parseJson } from '@trifold/client';

/** Result of reading a text as JSON. */
type ParsedJson =
  | { readonly value: Readonly<Record<string, unknown>> | null }
  /** Message of the parser, or of the check that the value is an object. */
  | { readonly problem: string };

const NOT_AN_OBJECT = 'Enter a JSON object: { … }.';

/** Reads the text of a JSON object. A blank text means that there is none: null. */
export function parseObject(text: string): ParsedJson {
  if (text.trim() === '') return { value: null };
  try {
    const value = parseJson(text);
    return isObject(value) ? { value } : { problem: NOT_AN_OBJECT };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Formats a value for the editor; an absent one is an empty text. */
export function formatJson(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Whether two texts are the same JSON value, however they are formatted. The order of members does not count. */
export function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [parseObject(one), parseObject(other)];
  if ('problem' in first || 'problem' in second) return false;
  return sortedJson(first.value) === sortedJson(second.value);
}

/** Returns the bytes of a JSON text without the white space between its values. */
export function jsonBytes(json: string): number {
  let bytes = 0;
  let isString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isString = !isString;
    if (!isString && code <= SPACE) continue;
    bytes += code < 0x80 ? 1 : code < 0x800 || isSurrogate(code) ? 2 : 3;
    // What follows a backslash is part of the string.
    if (isString && code === BACKSLASH) bytes += Number((at += 1) < json.length);
  }
  return bytes;
}

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** A pair takes four bytes in UTF-8. */
function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLongInteger(value);
}

/** ES2026. Older browsers do not have it. */
const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };

/** Whether a parsed value is an integer that a number cannot hold (`parseJson`). */
export function isLongInteger(value: unknown): boolean {
  return isRawJSON?.(value) ?? false;
}

/** JSON with the members of every object in alphabetical order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
