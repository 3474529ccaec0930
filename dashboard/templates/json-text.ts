import { parseJson } from '@trifold/client';

/** Result of parsing a string as JSON. */
type ParsedJson =
  | { readonly value: Readonly<Record<string, unknown>> | null }
  /** Message from the parser, or from the check that the value is an object. */
  | { readonly problem: string };

const NOT_AN_OBJECT = 'Enter a JSON object: { … }.';

/** A longer string is parsed only once: several parts of the editor parse the sample data after each key press. */
const LONG_TEXT = 10_000;
/** Number of parsed strings kept: the edited sample data and the stored data. */
const MAX_KEPT = 2;
let kept: readonly (readonly [text: string, parsed: ParsedJson])[] = [];

/** Parses a JSON object. A blank string means none: null. Callers must not change the value. */
export function parseObject(text: string): ParsedJson {
  if (text.length < LONG_TEXT) return parse(text);
  // A comparison with other strings takes less time than a hash.
  const found = kept.find(([each]) => each === text) ?? ([text, parse(text)] as const);
  kept = [found, ...kept.filter((each) => each !== found)].slice(0, MAX_KEPT);
  return found[1];
}

function parse(text: string): ParsedJson {
  if (text.trim() === '') return { value: null };
  try {
    const value = parseJson(text);
    return isObject(value) ? { value } : { problem: NOT_AN_OBJECT };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Returns a string parsed as a JSON object; null if it is blank or not valid. Callers must not change it. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = parseObject(text);
  return 'problem' in parsed ? null : parsed.value;
}

/** Formats a value for the editor; an absent value becomes an empty string. */
export function formatJson(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Whether two strings are the same JSON value, regardless of formatting and property order. */
export function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [parseObject(one), parseObject(other)];
  if ('problem' in first || 'problem' in second) return false;
  return isSameValue(first.value, second.value);
}

/** Returns the size of a JSON string in bytes, excluding white space between its values. */
export function jsonBytes(json: string): number {
  let bytes = 0;
  let isString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isString = !isString;
    if (!isString && code <= SPACE) continue;
    bytes += code < 0x80 ? 1 : code < 0x800 || isSurrogate(code) ? 2 : 3;
    // The character after a backslash is part of the string.
    if (isString && code === BACKSLASH) bytes += Number((at += 1) < json.length);
  }
  return bytes;
}

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** A surrogate pair takes four bytes in UTF-8. */
function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLongInteger(value);
}

/** ES2026. Older browsers do not have it. */
const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };

/** Whether a parsed value is an integer that a JavaScript number cannot represent (`parseJson`). */
export function isLongInteger(value: unknown): boolean {
  return isRawJSON?.(value) ?? false;
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameValue(item, other[index]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
    );
  }
  return one === other || (isLongInteger(one) && JSON.stringify(one) === JSON.stringify(other));
}
