import { createRequire } from 'node:module';
import type { toSVG as drawSvg } from 'bwip-js';
import Handlebars from 'handlebars';
import { helperFailure, isMissing, namedText, toText, type TemplateHelper } from './arguments.ts';

/** A library of a megabyte that few documents need: it is loaded for the first of them. */
const loadLater = createRequire(import.meta.url);

/** Kinds of bar code, by the names that people know them by, and as the library calls them. */
const BAR_CODES: Readonly<Record<string, string>> = {
  code128: 'code128',
  code39: 'code39',
  ean13: 'ean13',
  ean8: 'ean8',
  upca: 'upca',
  itf14: 'itf14',
  'gs1-128': 'gs1-128',
  datamatrix: 'datamatrix',
  pdf417: 'pdf417',
};
const LEVELS = ['L', 'M', 'Q', 'H'];
const LENGTH = /^\d{1,4}(?:\.\d{1,3})?(?:mm|cm|in|px|pt)$/;

export const CODES = {
  qrCode: ({ values: [value], named }) => {
    if (isMissing(value)) return '';
    const size = lengthOf('qrCode', 'size', named['size']) ?? '30mm';
    const level = namedText('qrCode', 'level', named['level']) ?? 'M';
    if (!LEVELS.includes(level)) throw helperFailure('qrCode', `level= is not one of ${LEVELS.join(', ')}`);
    const svg = draw('qrCode', { bcid: 'qrcode', text: toText('qrCode', value), eclevel: level });
    return sized(svg, { width: size, height: size });
  },
  barCode: ({ values: [value, kind], named }) => {
    if (isMissing(value)) return '';
    const bcid = typeof kind === 'string' && Object.hasOwn(BAR_CODES, kind) ? BAR_CODES[kind] : undefined;
    if (bcid === undefined) {
      throw helperFailure(
        'barCode',
        `its second argument is not one of ${Object.keys(BAR_CODES).join(', ')}`,
      );
    }
    const includetext = named['text'] === true;
    const svg = draw('barCode', { bcid, text: toText('barCode', value), includetext, textxalign: 'center' });
    const width = lengthOf('barCode', 'width', named['width']);
    const height = lengthOf('barCode', 'height', named['height']);
    if (width === undefined && height === undefined) return sized(svg, { height: '15mm' });
    return sized(svg, { ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
  },
} satisfies Record<string, TemplateHelper>;

function draw(helper: string, options: { bcid: string; text: string; [option: string]: unknown }): string {
  const { toSVG } = loadLater('bwip-js') as { toSVG: typeof drawSvg };
  try {
    return toSVG(options);
  } catch (error) {
    // The library's sentences are about the kind of code: none quotes the text.
    const reason = /^bwipp\.\w+#\d+: (.{1,200})$/.exec((error as Error).message)?.[1];
    throw helperFailure(
      helper,
      `the value cannot be written as ${options.bcid}: ${reason ?? 'it does not fit'}`,
    );
  }
}

/** As large as asked; with one side given, the other keeps its proportion. */
function sized(svg: string, sides: { width?: string; height?: string }): Handlebars.SafeString {
  const style = Object.entries(sides).map(([side, length]) => `${side}:${length}`);
  return new Handlebars.SafeString(svg.trim().replace('<svg ', `<svg style="${style.join(';')}" `));
}

function lengthOf(helper: string, name: string, value: unknown): string | undefined {
  const length = namedText(helper, name, value);
  if (length === undefined || LENGTH.test(length)) return length;
  throw helperFailure(helper, `${name}= is not a length such as 30mm or 1.5in`);
}
