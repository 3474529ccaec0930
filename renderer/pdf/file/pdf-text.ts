/** Encodes a text string (ISO 32000-1, 7.9.2.2). */
export function pdfText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}

/** Encodes a time, in UTC and to the second (ISO 32000-1, 7.9.4). */
export function pdfDate(time: Date): string {
  return `(D:${time.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+00'00')`;
}

/** Decodes a text string. The browser writes ASCII or UTF-16, so PDFDocEncoding is read as Latin-1. */
export function textOf(string: string): string {
  const bytes = bytesOf(string);
  if (bytes.length < 2 || bytes.readUInt16BE() !== 0xfeff) return bytes.toString('latin1');
  return bytes
    .subarray(2, bytes.length - (bytes.length % 2))
    .swap16()
    .toString('utf16le');
}

/** Returns the bytes of a string, given with its delimiters as Latin-1 text. */
export function bytesOf(string: string): Buffer {
  if (string.startsWith('<')) return Buffer.from(string.slice(1, -1).replaceAll(/\s/g, ''), 'hex');
  return Buffer.from(string.slice(1, -1).replaceAll(ESCAPE, unescaped), 'latin1');
}

/** ISO 32000-1, 7.3.4.2. */
const ESCAPE = /\\(?:([0-7]{1,3})|(\r\n|[^]))/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(_escape: string, octal: string | undefined, character = ''): string {
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) % 256);
  return /[\r\n]/.test(character) ? '' : (ESCAPES[character] ?? character);
}
