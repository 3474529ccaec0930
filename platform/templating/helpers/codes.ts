import { helperFailure, isMissing, namedText, toText, type TemplateHelper } from './arguments.ts';
import {
  boxOf,
  draw,
  lengthOf,
  millimetres,
  sized,
  unwritable,
  type CodeOptions,
  type CodeSize,
} from './code-drawing.ts';

/** Properties of a barcode type. */
interface BarCodeKind {
  /** One-dimensional: each side may have any length. */
  readonly linear: boolean;
  /** Default width of the thinnest bar, in millimeters; without it, the default height is 15 mm. */
  readonly module?: number;
  /** The library would write a non-ASCII character as several characters, one for each byte. */
  readonly ascii?: true;
}

/** The minimum that GS1 allows in shops: 80 % of the nominal size. */
const RETAIL = { linear: true, module: 0.264 };
/** By common name, which is also the library's name. */
const BAR_CODES: Readonly<Record<string, BarCodeKind>> = {
  code128: { linear: true, ascii: true },
  code39: { linear: true },
  ean13: RETAIL,
  ean8: RETAIL,
  upca: RETAIL,
  itf14: { linear: true },
  'gs1-128': { linear: true },
  datamatrix: { linear: false },
  gs1datamatrix: { linear: false },
  pdf417: { linear: false },
};
const LEVELS = ['L', 'M', 'Q', 'H'];
const NOT_ASCII = /[^\0-\u007f]/;

/** Units of the library's drawings: the thinnest bar has two units, and an inch has 144. */
const UNITS_A_MODULE = 2;
const UNITS_A_MM = 144 / 25.4;
const TRIAL_HEIGHT_MM = 10;
/** Shorter bars would look like a line of text. */
const MIN_HEIGHT_MM = 1;

export const CODES = {
  qrCode: ({ values: [value], named }) => {
    if (isMissing(value)) return '';
    const size = lengthOf('qrCode', 'size', named['size']) ?? '30mm';
    const level = namedText('qrCode', 'level', named['level']) ?? 'M';
    if (!LEVELS.includes(level)) throw helperFailure('qrCode', `level= must be one of ${LEVELS.join(', ')}`);
    const svg = draw('qrCode', { bcid: 'qrcode', text: toText('qrCode', value), eclevel: level });
    return sized(svg, { width: size, height: size });
  },
  barCode: ({ values: [value, kind], named }) => {
    if (isMissing(value)) return '';
    const [bcid, known] = kindOf(kind);
    const text = toText('barCode', value);
    if (known.ascii && NOT_ASCII.test(text)) {
      throw unwritable('barCode', bcid, 'it contains non-ASCII characters');
    }
    const options = { bcid, text, includetext: named['text'] === true, textxalign: 'center' };
    const width = lengthOf('barCode', 'width', named['width']);
    const height = lengthOf('barCode', 'height', named['height']);
    if (known.linear && width !== undefined && height !== undefined) {
      return sized(drawFilling(options, { width, height }), { width, height });
    }
    const svg = draw('barCode', options);
    return sized(svg, (width ?? height) === undefined ? defaultSize(svg, known) : { width, height });
  },
} satisfies Record<string, TemplateHelper>;

function kindOf(kind: unknown): [name: string, kind: BarCodeKind] {
  const known = typeof kind === 'string' && Object.hasOwn(BAR_CODES, kind) ? BAR_CODES[kind] : undefined;
  if (known !== undefined) return [kind as string, known];
  const names = Object.keys(BAR_CODES).join(', ');
  throw helperFailure('barCode', `its second argument must be one of ${names}`);
}

function defaultSize(svg: string, { module }: BarCodeKind): CodeSize {
  if (module === undefined) return { height: '15mm' };
  return { width: `${((boxOf(svg).width / UNITS_A_MODULE) * module).toFixed(2)}mm` };
}

/** Draws bars that fill the given width and height, regardless of the original proportions. */
function drawFilling(options: CodeOptions, size: { width: string; height: string }): string {
  const ratio = millimetres(size.height) / millimetres(size.width);
  const svg = options['includetext'] === true ? drawAboveText(options, ratio) : draw('barCode', options);
  return svg.replace('<svg ', '<svg preserveAspectRatio="none" ');
}

/**
 * Draws with a height of `ratio` times the width: the text below the bars keeps its proportions, and the bars fill the
 * rest.
 */
function drawAboveText(options: CodeOptions, ratio: number): string {
  const box = boxOf(draw('barCode', { ...options, height: TRIAL_HEIGHT_MM }));
  const height = TRIAL_HEIGHT_MM + (ratio * box.width - box.height) / UNITS_A_MM;
  if (height >= MIN_HEIGHT_MM) return draw('barCode', { ...options, height });
  throw helperFailure('barCode', 'height= leaves no room for bars above the text');
}
