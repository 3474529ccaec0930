declare global {
  /** ES2026; TypeScript's library does not declare them yet. */
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** An integer in JSON text whose digits a double cannot reproduce. Its parent contains the nearest double. */
export interface LongInteger {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly digits: string;
}

/** Parsed JSON. */
export interface ParsedJson {
  readonly value: unknown;
  readonly longIntegers: readonly LongInteger[];
}

/** Number of digits of the shortest integer that a double cannot represent. */
const RUN = 16;
/** Matches where a long integer may begin. */
const POSSIBLE = /(?:^|[[:,\s])-?\d{16}/;
const INTEGER = /^-?\d{16,}$/;

/**
 * Whether JSON may have integers whose digits a double cannot reproduce. Most JSON has none. This check takes a
 * twentieth of the parsing time; a reviver takes ten times as long.
 */
export function mayHaveLongIntegers(json: string): boolean {
  return hasRun(json) && POSSIBLE.test(json);
}

/** Whether a string has 16 digits in a row. Every such run contains one of the characters that are checked first. */
function hasRun(text: string): boolean {
  for (let at = RUN - 1; at < text.length; at += RUN) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let [start, end] = [at, at + 1];
    while (isDigit(text.charCodeAt(start - 1))) start -= 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (end - start >= RUN) return true;
    at = end;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Parses JSON. Skips a byte order mark. Throws SyntaxError. */
export function parseLongIntegers(text: string): ParsedJson {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const longIntegers: LongInteger[] = [];
  function collect(
    this: Record<string, unknown>,
    key: string,
    value: unknown,
    context?: { source?: string },
  ) {
    const digits = context?.source;
    if (typeof value === 'number' && digits !== undefined && INTEGER.test(digits) && String(value) !== digits)
      longIntegers.push({ holder: this, key, digits });
    return value;
  }
  const value: unknown = mayHaveLongIntegers(json) ? JSON.parse(json, collect) : JSON.parse(json);
  return { value, longIntegers };
}

/** Replaces the doubles with the digits, as strings. */
export function writeDigitStrings(longIntegers: readonly LongInteger[]): void {
  for (const { holder, key, digits } of longIntegers) holder[key] = digits;
}

/** Replaces the doubles with values that JSON.stringify writes as the original integers. */
export function writeRawIntegers(longIntegers: readonly LongInteger[]): void {
  for (const { holder, key, digits } of longIntegers) holder[key] = JSON.rawJSON(digits);
}

/** Puts the doubles back. */
export function writeDoubles(longIntegers: readonly LongInteger[]): void {
  for (const { holder, key, digits } of longIntegers) holder[key] = Number(digits);
}
