/** A computed color (CSS Color 4, 15). */
export const COLOR = /(?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)/;

const SYNTAX = /^(?:color\(([\w-]+) |(rgba?|oklab|oklch|lab|lch)\()([^()]*)\)$/;

type Triple = readonly [number, number, number];

/** Returns a color's sRGB channels, nominally from 0 to 255, and its opacity. */
export function srgbOf(color: string): { rgb: readonly number[]; alpha: number } | undefined {
  const [, space, name = space, parts = ''] = SYNTAX.exec(color) ?? [];
  const [first = 0, second = 0, third = 0, alpha = 1] = parts.split(/[\s,/]+/).map(numberOf);
  const convert = CONVERSIONS.get(name ?? '');
  return convert && { rgb: convert([first, second, third]), alpha };
}

/** `none` counts as zero. */
function numberOf(text: string): number {
  return Number.parseFloat(text) || 0;
}

const polar = ([lightness, chroma, hue]: Triple): Triple => {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
};
const times = (rows: readonly Triple[], [x, y, z]: Triple): Triple => {
  const [one = 0, two = 0, three = 0] = rows.map(([a, b, c]) => a * x + b * y + c * z);
  return [one, two, three];
};
/** IEC 61966-2-1. */
const gamma = (linear: Triple) =>
  linear.map((value) => 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));

/** Matrices: CSS Color 4, 18. */
const oklab = ([lightness, a, b]: Triple) => {
  const cones = times(
    [
      [1, 0.3963377774, 0.2158037573],
      [1, -0.1055613458, -0.0638541728],
      [1, -0.0894841775, -1.291485548],
    ],
    [lightness, a, b],
  );
  const [l, m, s] = cones;
  return gamma(
    times(
      [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.707614701],
      ],
      [l ** 3, m ** 3, s ** 3],
    ),
  );
};
const lab = ([lightness, a, b]: Triple) => {
  const y = (lightness + 16) / 116;
  const cube = (value: number) => (value > 6 / 29 ? value ** 3 : (108 / 841) * (value - 4 / 29));
  const d50: Triple = [0.96429568 * cube(y + a / 500), cube(y), 0.8251046 * cube(y - b / 200)];
  return gamma(
    times(
      [
        [3.1341359, -1.6173863, -0.4906619],
        [-0.978795, 1.9162543, 0.033443],
        [0.0719551, -0.2289768, 1.4053861],
      ],
      d50,
    ),
  );
};

const CONVERSIONS = new Map<string, (values: Triple) => readonly number[]>(
  Object.entries({
    rgb: (values: Triple) => values,
    rgba: (values: Triple) => values,
    srgb: (values: Triple) => values.map((value) => value * 255),
    'srgb-linear': gamma,
    'display-p3': (values: Triple) => values.map((value) => value * 255),
    oklab,
    oklch: (values: Triple) => oklab(polar(values)),
    lab,
    lch: (values: Triple) => lab(polar(values)),
  }),
);
