import { isObject } from './json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Measures of a JSON text that need no parser. */
export interface JsonText {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Number of members of all objects, with duplicates. */
  readonly members: number;
}

/** Measures a JSON text in one scan. The members are meaningful only if the text is valid JSON. */
export function measureJson(text: string): JsonText {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === COLON) members += 1;
    else if (OPENING.has(code)) deepest = Math.max(deepest, (depth += 1));
    else if (CLOSING.has(code)) depth -= 1;
  }
  return { depth: deepest, members };
}

/** Returns the number of members of all objects in a value. */
export function countMembers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countMembers(item), 0);
  if (!isObject(value)) return 0;
  const names = Object.keys(value);
  return names.reduce((sum, name) => sum + countMembers(value[name]), names.length);
}

/** Returns the index of the closing quote of the string that begins at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
