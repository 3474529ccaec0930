/** The few ASN.1 types (X.690, DER) that an X.509 certificate is made of. */
export type Der = Buffer;

function encode(tag: number, content: Uint8Array): Der {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

export function sequence(...parts: readonly Der[]): Der {
  return encode(0x30, Buffer.concat(parts));
}

export function set(...parts: readonly Der[]): Der {
  return encode(0x31, Buffer.concat(parts));
}

/** A whole number of zero or more; `bytes` are big-endian. */
export function integer(bytes: Uint8Array): Der {
  // A leading bit would make it negative.
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return encode(0x02, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function boolean(value: boolean): Der {
  return encode(0x01, Buffer.from([value ? 0xff : 0]));
}

export function octetString(content: Uint8Array): Der {
  return encode(0x04, content);
}

/** Bits of whole bytes, but for `unused` low bits of the last. */
export function bitString(content: Uint8Array, unused = 0): Der {
  return encode(0x03, Buffer.concat([Buffer.from([unused]), content]));
}

export function utf8String(text: string): Der {
  return encode(0x0c, Buffer.from(text));
}

/** A time as certificates of today need it: two digits of the year until 2049, four from 2050 (RFC 5280, 4.1.2.5). */
export function time(date: Date): Der {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? encode(0x17, Buffer.from(digits.slice(2)))
    : encode(0x18, Buffer.from(digits));
}

/** An object identifier such as `2.5.29.17`. */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(0x06, Buffer.from([first * 40 + second, ...rest.flatMap((arc) => base128(arc))]));
}

function base128(arc: number): number[] {
  const bytes = [arc & 0x7f];
  for (let left = arc >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** A context-specific tag: around another value (`constructed`), or in the place of a primitive one's tag. */
export function tagged(number: number, content: Uint8Array, constructed: boolean): Der {
  return encode(0x80 | (constructed ? 0x20 : 0) | number, content);
}
