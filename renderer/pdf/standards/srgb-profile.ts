/** White point of the profile connection space, D50 (ICC.1, 7.2.16). */
const WHITE = [0.9642, 1, 0.8249];
/** Red, green and blue of sRGB (IEC 61966-2-1), adapted from D65 to D50. */
const COLORANTS = {
  rXYZ: [0.436035, 0.222488, 0.013916],
  gXYZ: [0.385117, 0.716904, 0.097061],
  bXYZ: [0.143051, 0.060608, 0.713913],
};
/** Matrix for that adaptation, by the Bradford method (ICC.1, annex E), row by row. */
const ADAPTATION = [
  1.047882, 0.022919, -0.050217, 0.029587, 0.990479, -0.017075, -0.009247, 0.015076, 0.751678,
];
/** Transfer function of sRGB, in the order of ICC.1, 10.18, function type 3: g, a, b, c, d. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];
const CURVE_TYPE = 3;

const HEADER_BYTES = 128;
const VERSION = 0x04_30_00_00;
/** Fixed, so that the same document has the same bytes: year, month, day. */
const CREATED = [2026, 1, 1] as const;

/** Returns an ICC profile (version 4.3) of sRGB for monitors, built from the values in the standards. */
export function srgbProfile(): Buffer {
  const curve = Buffer.concat([type('para'), uint32(CURVE_TYPE * 2 ** 16), ...CURVE.map(fixed)]);
  return profileOf([
    ['desc', localized('sRGB')],
    ['cprt', localized('No copyright')],
    ['wtpt', xyz(WHITE)],
    ['chad', Buffer.concat([type('sf32'), ...ADAPTATION.map(fixed)])],
    ...Object.entries(COLORANTS).map(([name, color]) => [name, xyz(color)] as const),
    ...['rTRC', 'gTRC', 'bTRC'].map((name) => [name, curve] as const),
  ]);
}

/** Returns a profile with these tags; equal values are stored once. */
function profileOf(tags: readonly (readonly [name: string, value: Buffer])[]): Buffer {
  const values = [...new Set(tags.map(([, value]) => value))];
  const offsets = new Map<Buffer, number>();
  let size = HEADER_BYTES + 4 + tags.length * 12;
  for (const value of values) {
    offsets.set(value, size);
    size += value.length;
  }
  const table = tags.map(([name, value]) =>
    Buffer.concat([Buffer.from(name), uint32(offsets.get(value) ?? 0), uint32(value.length)]),
  );
  return Buffer.concat([headerOf(size), uint32(tags.length), ...table, ...values]);
}

/** ICC.1, 7.2. Fields that are 0 are optional. */
function headerOf(size: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(VERSION, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  for (const [index, value] of CREATED.entries()) header.writeUInt16BE(value, 24 + index * 2);
  header.write('acsp', 36, 'latin1');
  Buffer.concat(WHITE.map(fixed)).copy(header, 68);
  return header;
}

function xyz(color: readonly number[]): Buffer {
  return Buffer.concat([type('XYZ '), ...color.map(fixed)]);
}

/** Text in English, padded to a multiple of four bytes. */
function localized(text: string): Buffer {
  const characters = Buffer.from(text, 'utf16le').swap16();
  const record = [uint32(1), uint32(12), Buffer.from('enUS'), uint32(characters.length), uint32(28)];
  return Buffer.concat([type('mluc'), ...record, characters, Buffer.alloc(-characters.length & 3)]);
}

function type(name: string): Buffer {
  return Buffer.concat([Buffer.from(name), Buffer.alloc(4)]);
}

/** A signed number with 16 bits after the point. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 2 ** 16));
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
