import { endOfHexString, endOfString, endOfToken, skipSpace } from './pdf-syntax.ts';

/** Receives the tokens of a scan, with the first byte of each and the byte after its last one. */
export interface TokenVisitor {
  /** A number, a keyword or an operator. */
  word(start: number, end: number): void;
  /** A name with its slash. */
  name(start: number, end: number): void;
  /** A literal or hexadecimal string with its delimiters. */
  string(start: number, end: number): void;
  /** The start (1) or the end (-1) of a dictionary. */
  dictionary(step: 1 | -1): void;
}

const [SLASH, LESS, GREATER, OPEN_STRING] = [0x2f, 0x3c, 0x3e, 0x28];
/** Numbers begin with a character from + to 9, and operators do not. */
const [PLUS, NINE] = [0x2b, 0x39];

/** Whether a word is a number. */
export function isNumber(bytes: Buffer, start: number): boolean {
  const first = bytes[start] ?? 0;
  return first >= PLUS && first <= NINE;
}

/**
 * Reports the tokens of a part of a file or of a content stream, in order. Throws PdfSyntaxError for unterminated
 * strings.
 */
export function scanTokens(bytes: Buffer, from: number, until: number, visitor: TokenVisitor): void {
  for (let at = skipSpace(bytes, from); at < until; at = skipSpace(bytes, at)) {
    const byte = bytes[at];
    if (byte === SLASH) at = slash(bytes, at, visitor);
    else if (byte === OPEN_STRING) at = literal(bytes, at, visitor);
    else if (byte === LESS || byte === GREATER) at = angle(bytes, at, visitor);
    else at = word(bytes, at, visitor);
  }
}

function angle(bytes: Buffer, at: number, visitor: TokenVisitor): number {
  if (bytes[at + 1] === bytes[at]) {
    visitor.dictionary(bytes[at] === LESS ? 1 : -1);
    return at + 2;
  }
  const end = endOfHexString(bytes, at);
  visitor.string(at, end);
  return end;
}

/** Skips brackets, which no check needs. */
function word(bytes: Buffer, at: number, visitor: TokenVisitor): number {
  const end = endOfToken(bytes, at);
  if (end === at) return at + 1;
  visitor.word(at, end);
  return end;
}

function slash(bytes: Buffer, at: number, visitor: TokenVisitor): number {
  const end = endOfToken(bytes, at + 1);
  visitor.name(at, end);
  return end;
}

function literal(bytes: Buffer, at: number, visitor: TokenVisitor): number {
  const end = endOfString(bytes, at);
  visitor.string(at, end);
  return end;
}
