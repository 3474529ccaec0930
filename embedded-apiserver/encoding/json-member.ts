const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Returns the JSON of a member of an object; undefined when the object does not have it. One forward scan of valid JSON
 * as `JSON.stringify` writes it, without white space, up to the end of the member.
 */
export function memberOf(json: string, name: string): string | undefined {
  const wanted = JSON.stringify(name);
  for (let at = 1; json.charCodeAt(at) === QUOTE;) {
    const colon = endOfString(json, at);
    const end = endOfValue(json, colon + 1);
    if (json.slice(at, colon) === wanted) return json.slice(colon + 1, end);
    at = end + 1;
  }
  return undefined;
}

/** Position after the closing quote. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; ;) {
    const quote = json.indexOf('"', at);
    if (quote < 0) return json.length;
    let escapes = quote;
    while (json.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    at = quote + 1;
    if ((quote - escapes) % 2 === 0) return at;
  }
}

/** Position after the value that begins at `start`. */
function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length;) {
    const code = json.charCodeAt(at);
    if (depth === 0 && (code === COMMA || isClosing(code))) return at;
    if (isOpening(code)) depth += 1;
    if (isClosing(code)) depth -= 1;
    at = code === QUOTE ? endOfString(json, at) : at + 1;
  }
  return json.length;
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}
