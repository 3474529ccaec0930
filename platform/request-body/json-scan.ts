const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Shape of a JSON text before parsing. Exact for well-formed JSON only. */
export interface JsonShape {
  /** Nesting depth of objects and arrays. */
  readonly depth: number;
  /** Number of members of all objects together; repeated names count each time. */
  readonly members: number;
}

/** Measures JSON in one pass over its bytes, without building values: cheap enough for every request. */
export function shapeOf(json: Uint8Array): JsonShape {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COLON:
        members++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      default:
    }
  }
  return { depth: deepest, members };
}

/** Returns the first member name that an object contains twice, in well-formed JSON. */
export function repeatedMember(json: Buffer): string | undefined {
  const open: Set<string>[] = [];
  let latest = '""';
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      latest = json.toString('utf8', at, end + 1);
      at = end;
    } else if (byte === OPEN_BRACE) open.push(new Set());
    else if (byte === CLOSE_BRACE) open.pop();
    else if (byte === COLON && !isNew(latest, open.at(-1))) return JSON.parse(latest) as string;
  }
  return undefined;
}

/** Adds a name from JSON text. Returns false when the object already has it, even in another escaped form. */
function isNew(text: string, names: Set<string> | undefined): boolean {
  const name = JSON.parse(text) as string;
  if (names?.has(name)) return false;
  names?.add(name);
  return true;
}

/**
 * Returns the index of the closing quote of the string that starts at `start`; the end of the text when it is missing.
 */
function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
