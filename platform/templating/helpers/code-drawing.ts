import { createRequire } from 'node:module';
import type { toSVG as drawSvg } from 'bwip-js';
import Handlebars from 'handlebars';
import { helperFailure, namedText } from './arguments.ts';

/** The library is a megabyte and few documents need it, so it is loaded on first use. */
const loadLater = createRequire(import.meta.url);

const LENGTH = /^(\d{1,4}(?:\.\d{1,3})?)(mm|cm|in|px|pt)$/;
const MILLIMETRES: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  px: 25.4 / 96,
  pt: 25.4 / 72,
};

/** The library's options, under its own names. */
export interface CodeOptions {
  readonly bcid: string;
  readonly text: string;
  readonly [option: string]: unknown;
}

/** Displayed size of a code, in CSS lengths; if only one is set, the other preserves the proportions. */
export interface CodeSize {
  readonly width?: string | undefined;
  readonly height?: string | undefined;
}

/** Returns a code as SVG. Throws MergeFailure for a string that this kind of code cannot encode. */
export function draw(helper: string, options: CodeOptions): string {
  const { toSVG } = loadLater('bwip-js') as { toSVG: typeof drawSvg };
  try {
    return toSVG(options);
  } catch (error) {
    // The library's messages describe the kind of code and never quote the string.
    const reason = /^bwipp\.\w+#\d+: (.{1,200})$/.exec((error as Error).message)?.[1];
    throw unwritable(helper, options.bcid, reason ?? 'it does not fit');
  }
}

/** Returns the error for a string that this kind of code cannot encode. */
export function unwritable(helper: string, kind: string, reason: string): Error {
  return helperFailure(helper, `the value cannot be written as ${kind}: ${reason}`);
}

/** Returns a drawing's size in its own units. */
export function boxOf(svg: string): { width: number; height: number } {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** Returns the drawing in the requested size. */
export function sized(svg: string, size: CodeSize): Handlebars.SafeString {
  const sides = Object.entries(size).filter(([, length]) => length !== undefined);
  const style = sides.map(([side, length]) => `${side}:${length}`).join(';');
  return new Handlebars.SafeString(svg.trim().replace('<svg ', `<svg style="${style}" `));
}

/** Returns a named length argument above 0. Undefined if it is omitted or its value is not in the data. */
export function lengthOf(helper: string, name: string, value: unknown): string | undefined {
  const length = namedText(helper, name, value);
  if (length === undefined) return undefined;
  if (!LENGTH.test(length)) throw helperFailure(helper, `${name}= is not a length such as 30mm or 1.5in`);
  if (millimetres(length) === 0) throw helperFailure(helper, `${name}= is 0: nothing would be drawn`);
  return length;
}

/** Converts a length that `lengthOf` returned. */
export function millimetres(length: string): number {
  const [, number, unit = 'mm'] = LENGTH.exec(length) ?? [];
  return Number(number) * (MILLIMETRES[unit] ?? 1);
}
