import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';

/** Position of a value in a file: its first byte, and the byte after its last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Entries by name, without the slash; each value as its position in the file. */
export type PdfDictionary = ReadonlyMap<string, Span>;

/** A malformed file. The message names only structure, never the document's content. */
export class PdfSyntaxError extends TrifoldError<'pdf_invalid'> {
  constructor(message: string, cause?: unknown) {
    super('pdf_invalid', message, { cause });
  }
}

/** Nesting limit, because deeper nesting could overflow the stack. */
const MAX_DEPTH = 64;
/** Maximum length of a reference in bytes: two ten-digit numbers, spaces, R, and the next character. */
const REFERENCE_BYTES = 32;

const [OPEN_STRING, CLOSE_STRING, ESCAPE] = [0x28, 0x29, 0x5c];
const [LESS, GREATER, OPEN_ARRAY, CLOSE_ARRAY, SLASH, PERCENT] = [0x3c, 0x3e, 0x5b, 0x5d, 0x2f, 0x25];
const [NINE, ZERO, REFERENCE] = [0x39, 0x30, 0x52];

/** Kind of a byte: part of a token, white space, or a delimiter. */
const [REGULAR, SPACE, DELIMITER] = [0, 1, 2];
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

/** Undefined past the end. */
function kindAt(bytes: Buffer, at: number): number | undefined {
  return KINDS[bytes[at] ?? -1];
}

/** Returns the offset after white space and comments. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    while (kindAt(bytes, at) === SPACE) at += 1;
    if (bytes[at] !== PERCENT) return at;
    while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1;
  }
}

/** Returns the value at or after an offset. Throws PdfSyntaxError. */
export function valueAt(bytes: Buffer, from: number): Span {
  const start = skipSpace(bytes, from);
  return { start, end: endOfValue(bytes, start, 0) };
}

/**
 * Returns the entries of the dictionary at or after an offset; the last one wins among duplicate names. Throws
 * PdfSyntaxError.
 */
export function dictionaryAt(bytes: Buffer, from: number): PdfDictionary {
  const start = skipSpace(bytes, from);
  if (!isDictionary(bytes, start)) throw new PdfSyntaxError('the PDF lacks an expected dictionary');
  const values: Span[] = [];
  for (let at = skipSpace(bytes, start + 2); !isAt(bytes, at, '>>'); at = skipSpace(bytes, at)) {
    const value = valueAt(bytes, at);
    at = value.end;
    values.push(value);
  }
  if (values.length % 2 !== 0) throw new PdfSyntaxError('the PDF has no value for a name');
  const entries = new Map<string, Span>();
  for (let index = 0; index < values.length; index += 2) {
    const [name, value] = [values[index] as Span, values[index + 1] as Span];
    if (bytes[name.start] !== SLASH) throw new PdfSyntaxError('the PDF has no name for a value');
    entries.set(bytes.toString('latin1', name.start + 1, name.end), value);
  }
  return entries;
}

/** Yields the elements of the array at or after an offset, reading each on demand. Throws PdfSyntaxError. */
export function* elementsAt(bytes: Buffer, from: number): Generator<Span, void, void> {
  const start = skipSpace(bytes, from);
  if (bytes[start] !== OPEN_ARRAY) throw new PdfSyntaxError('the PDF lacks an expected array');
  for (let at = skipSpace(bytes, start + 1); !isAt(bytes, at, ']'); at = skipSpace(bytes, at)) {
    const value = valueAt(bytes, at);
    at = value.end;
    yield value;
  }
}

/** Returns the number of the object that a value refers to; undefined if the value is not a reference. */
export function referenceIn(bytes: Buffer, { start, end }: Span): number | undefined {
  if (bytes[end - 1] !== REFERENCE || end - start > REFERENCE_BYTES) return undefined;
  const match = /^(\d+)\s+\d+\s+R$/.exec(bytes.toString('latin1', start, end));
  return match ? Number(match[1]) : undefined;
}

function isAt(bytes: Buffer, at: number, close: ']' | '>>'): boolean {
  return close === ']' ? bytes[at] === CLOSE_ARRAY : bytes[at] === GREATER && bytes[at + 1] === GREATER;
}

function endOfValues(bytes: Buffer, from: number, close: ']' | '>>', depth: number): number {
  if (depth > MAX_DEPTH) throw new PdfSyntaxError('the PDF is nested too deeply');
  for (let at = skipSpace(bytes, from); ; at = skipSpace(bytes, at)) {
    if (isAt(bytes, at, close)) return at + close.length;
    at = endOfValue(bytes, at, depth);
  }
}

function endOfValue(bytes: Buffer, start: number, depth: number): number {
  switch (bytes[start]) {
    case OPEN_STRING:
      return endOfString(bytes, start);
    case OPEN_ARRAY:
      return endOfValues(bytes, start + 1, ']', depth + 1);
    case LESS:
      if (isDictionary(bytes, start)) return endOfValues(bytes, start + 2, '>>', depth + 1);
      return endOfHexString(bytes, start);
    case SLASH:
      return endOfToken(bytes, start + 1);
    default:
      return endOfReference(bytes, start) ?? endOfWord(bytes, start);
  }
}

function isDictionary(bytes: Buffer, start: number): boolean {
  return bytes[start] === LESS && bytes[start + 1] === LESS;
}

/** Returns the offset after a literal string. Throws PdfSyntaxError. */
export function endOfString(bytes: Buffer, start: number): number {
  let open = 0;
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === ESCAPE) at += 1;
    else if (bytes[at] === OPEN_STRING) open += 1;
    else if (bytes[at] === CLOSE_STRING) open -= 1;
    if (open === 0) return at + 1;
  }
  throw new PdfSyntaxError('the PDF has an unterminated string');
}

/** Returns the offset after a hexadecimal string. Throws PdfSyntaxError. */
export function endOfHexString(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(GREATER, start);
  if (end === -1) throw new PdfSyntaxError('the PDF has an unterminated string');
  return end + 1;
}

function endOfReference(bytes: Buffer, start: number): number | undefined {
  const generation = endOfNumberAndSpace(bytes, start);
  const keyword = generation && endOfNumberAndSpace(bytes, generation);
  if (keyword === undefined || bytes[keyword] !== REFERENCE) return undefined;
  return kindAt(bytes, keyword + 1) === REGULAR ? undefined : keyword + 1;
}

function endOfNumberAndSpace(bytes: Buffer, start: number): number | undefined {
  const end = endOfDigits(bytes, start);
  if (end === start || kindAt(bytes, end) !== SPACE) return undefined;
  let at = end;
  while (kindAt(bytes, at) === SPACE) at += 1;
  return at;
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) >= ZERO && (bytes[at] ?? 0) <= NINE) at += 1;
  return at;
}

/** Numbers, true, false and null. */
function endOfWord(bytes: Buffer, start: number): number {
  const end = endOfToken(bytes, start);
  if (end === start) throw new PdfSyntaxError('the PDF lacks an expected value');
  return end;
}

/** Returns the offset after a number, a keyword, or a name without its slash. */
export function endOfToken(bytes: Buffer, start: number): number {
  let at = start;
  while (kindAt(bytes, at) === REGULAR) at += 1;
  return at;
}
