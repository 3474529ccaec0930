declare global {
  /** ES2026; TypeScript's library does not declare them yet. */
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** An integer of a JSON text whose digits a double does not print. Its holder has the nearest double. */
export interface LongInteger {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly digits: string;
}

/** A parsed JSON text. */
export interface ParsedJson {
  readonly value: unknown;
  readonly longIntegers: readonly LongInteger[];
}

/** Matches where a long integer may begin. A text without a match is parsed as ever; a reviver takes ten times as long. */
const POSSIBLE = /(?:^|[[:,\s])-?\d{16}/;
const INTEGER = /^-?\d{16,}$/;

/** Whether JSON may have integers whose digits a double does not print. */
export function mayHaveLongIntegers(json: string): boolean {
  return POSSIBLE.test(json);
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

/** Puts the digits in place of the doubles, as strings. */
export function writeDigitStrings(longIntegers: readonly LongInteger[]): void {
  for (const { holder, key, digits } of longIntegers) holder[key] = digits;
}

/** Puts values in place of the doubles that JSON.stringify writes as the original integers. */
export function writeRawIntegers(longIntegers: readonly LongInteger[]): void {
  for (const { holder, key, digits } of longIntegers) holder[key] = JSON.rawJSON(digits);
}

/** Puts the doubles back. */
export function writeDoubles(longIntegers: readonly LongInteger[]): void {
  for (const { holder, key, digits } of longIntegers) holder[key] = Number(digits);
}
