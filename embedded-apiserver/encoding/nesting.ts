const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Change of depth for each character outside of strings. */
const STEPS: ReadonlyMap<number, number> = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);

/** Whether a JSON text nests deeper than `limit`. Does not parse the text. */
export function isDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else depth += STEPS.get(code) ?? 0;
    if (depth > limit) return true;
  }
  return false;
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
