/** Chromaticities of sRGB (IEC 61966-2-1): red, green, blue and its white point, D65. */
const PRIMARIES = [
  [0.64, 0.33],
  [0.3, 0.6],
  [0.15, 0.06],
] as const;
const D65 = [0.3127, 0.329] as const;
/** White of the profile connection space (ICC.1, 7.2.16). */
const D50: Vector = [0.9642, 1, 0.8249];
/** Bradford cone responses (ICC.1, annex E). */
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
/** Transfer function of sRGB, in the order of ICC.1, 10.18, function type 3: g, a, b, c, d. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];
const CURVE_TYPE = 3;

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

const HEADER_BYTES = 128;
const VERSION = 0x04_30_00_00;
/** Fixed, so that the same document has the same bytes: year, month, day. */
const CREATED = [2026, 1, 1] as const;

/** Returns an ICC profile (version 4.3) of sRGB for monitors, computed from the parameters of the standard. */
export function srgbProfile(): Buffer {
  const white = fromChromaticity(D65);
  const adaptation = adaptationTo(D50, white);
  const scales = multiplied(inverse(transposed(primaries())), white);
  const colorants = primaries().map((color, index) =>
    multiplied(adaptation, color.map((value) => value * (scales[index] ?? 0)) as unknown as Vector),
  );
  const curve = Buffer.concat([type('para'), uint32(CURVE_TYPE * 2 ** 16), ...CURVE.map(fixed)]);
  return profileOf([
    ['desc', localized('sRGB')],
    ['cprt', localized('No copyright')],
    ['wtpt', xyz(D50)],
    ['chad', Buffer.concat([type('sf32'), ...adaptation.flat().map(fixed)])],
    ...(['rXYZ', 'gXYZ', 'bXYZ'] as const).map(
      (name, index) => [name, xyz(colorants[index] ?? D50)] as const,
    ),
    ...(['rTRC', 'gTRC', 'bTRC'] as const).map((name) => [name, curve] as const),
  ]);
}

function primaries(): Matrix {
  return PRIMARIES.map(fromChromaticity) as unknown as Matrix;
}

function fromChromaticity([x, y]: readonly [number, number]): Vector {
  return [x / y, 1, (1 - x - y) / y];
}

/** Returns the matrix that adapts colors seen under one white to another (ICC.1, annex E). */
function adaptationTo(to: Vector, from: Vector): Matrix {
  const [response, wanted] = [multiplied(BRADFORD, from), multiplied(BRADFORD, to)];
  const scaled = BRADFORD.map((row, index) =>
    row.map((value) => (value * (wanted[index] ?? 0)) / (response[index] ?? 1)),
  ) as unknown as Matrix;
  const back = inverse(BRADFORD);
  const columns = transposed(scaled).map((column) => multiplied(back, column)) as unknown as Matrix;
  return transposed(columns);
}

function multiplied(matrix: Matrix, [x, y, z]: Vector): Vector {
  return matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Vector;
}

function transposed([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
}

function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const [first, second, third] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * first + b * second + c * third;
  const adjugate: Matrix = [
    [first, c * h - b * i, b * f - c * e],
    [second, a * i - c * g, c * d - a * f],
    [third, b * g - a * h, a * e - b * d],
  ];
  return adjugate.map((row) => row.map((value) => value / determinant)) as unknown as Matrix;
}

/** Returns a profile with tags; equal values are stored once. */
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
  Buffer.concat(D50.map(fixed)).copy(header, 68);
  return header;
}

function xyz(color: Vector): Buffer {
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
