import { createRequire } from 'node:module';
import type { toSVG as drawSvg } from 'bwip-js';
import Handlebars from 'handlebars';
import { helperFailure, namedText } from './arguments.ts';

/** A library of a megabyte that few documents need: it is loaded for the first of them. */
const loadLater = createRequire(import.meta.url);

const LENGTH = /^(\d{1,4}(?:\.\d{1,3})?)(mm|cm|in|px|pt)$/;
const MILLIMETRES: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  px: 25.4 / 96,
  pt: 25.4 / 72,
};

/** Options of the library, by its own names. */
export interface CodeOptions {
  readonly bcid: string;
  readonly text: string;
  readonly [option: string]: unknown;
}

/** How large a code is to be shown, in CSS lengths; with one side given, the other keeps its proportion. */
export interface CodeSize {
  readonly width?: string | undefined;
  readonly height?: string | undefined;
}

/** A code as SVG. Throws MergeFailure for what this kind of code cannot hold. */
export function draw(helper: string, options: CodeOptions): string {
  const { toSVG } = loadLater('bwip-js') as { toSVG: typeof drawSvg };
  try {
    return toSVG(options);
  } catch (error) {
    // The library's sentences are about the kind of code: none quotes the text.
    const reason = /^bwipp\.\w+#\d+: (.{1,200})$/.exec((error as Error).message)?.[1];
    throw unwritable(helper, options.bcid, reason ?? 'it does not fit');
  }
}

/** For a text that a kind of code cannot hold. */
export function unwritable(helper: string, kind: string, reason: string): Error {
  return helperFailure(helper, `the value cannot be written as ${kind}: ${reason}`);
}

/** The units of a drawing. */
export function boxOf(svg: string): { width: number; height: number } {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** As large as asked. */
export function sized(svg: string, size: CodeSize): Handlebars.SafeString {
  const sides = Object.entries(size).filter(([, length]) => length !== undefined);
  const style = sides.map(([side, length]) => `${side}:${length}`).join(';');
  return new Handlebars.SafeString(svg.trim().replace('<svg ', `<svg style="${style}" `));
}

/** A named argument that is a length above 0. Undefined when it is left out, or its value is not in the data. */
export function lengthOf(helper: string, name: string, value: unknown): string | undefined {
  const length = namedText(helper, name, value);
  if (length === undefined) return undefined;
  if (!LENGTH.test(length)) throw helperFailure(helper, `${name}= is not a length such as 30mm or 1.5in`);
  if (millimetres(length) === 0) throw helperFailure(helper, `${name}= is 0: nothing would be drawn`);
  return length;
}

/** Of a length that `lengthOf` has answered. */
export function millimetres(length: string): number {
  const [, number, unit = 'mm'] = LENGTH.exec(length) ?? [];
  return Number(number) * (MILLIMETRES[unit] ?? 1);
}
