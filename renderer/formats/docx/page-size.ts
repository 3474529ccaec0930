import { lengthInInches, PAGE_SIZES } from '@trifold/crds';
import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import type { Findings } from './findings.ts';
import { stringAt, type ParsedSnapshot } from './snapshot-tree.ts';
import { entryOf } from './units.ts';

/** A rule for all pages. Request options override its size with an `!important` one. */
const SIZE = /@page\s{0,20}\{[^}]{0,1000}?\bsize\s{0,20}:([^;}!]{1,100})(!?)/gi;
const LENGTH = /^(\d*\.?\d+)(in|cm|mm|q|pt|pc|px)$/;
const UNITS_PER_INCH: Readonly<Record<string, number>> = {
  in: 1,
  cm: 2.54,
  mm: 25.4,
  q: 101.6,
  pt: 72,
  pc: 6,
  px: 96,
};
/** A smaller difference, in inches, is a rounding error. */
const ROUNDING = 0.03;

type Sides = readonly [width: number, height: number];

/** Adds a finding if CSS sets a page size other than the file's, which the options determine. */
export function findPageSize(
  snapshot: ParsedSnapshot,
  { width, height }: Pick<PageGeometry, 'width' | 'height'>,
  findings: Findings,
): void {
  const sizes = [...styleSheets(snapshot)].flatMap((css) => [...withoutComments(css).matchAll(SIZE)]);
  const [, size = ''] = sizes.findLast(([, , important]) => important !== '') ?? sizes.at(-1) ?? [];
  const sides = sidesOf(size.trim().toLowerCase().split(/\s+/), [width, height]);
  if (Math.abs(sides[0] - width) < ROUNDING && Math.abs(sides[1] - height) < ROUNDING) return;
  findings.unsupported('@page size', 'The pages have the size that the options set.');
}

function* styleSheets(snapshot: ParsedSnapshot): Generator<string> {
  const { nodeName = [], nodeValue = [], parentIndex = [] } = snapshot.nodes;
  for (const [node, parent] of parentIndex.entries()) {
    if (stringAt(snapshot, nodeName[parent]) === 'STYLE') yield stringAt(snapshot, nodeValue[node]);
  }
}

function withoutComments(css: string): string {
  return css
    .split('*/')
    .map((piece) => piece.split('/*', 1)[0] ?? '')
    .join('');
}

/** CSS Paged Media 3, "size". Returns the paper's sides for `auto` and unknown sizes. */
function sidesOf(words: readonly string[], paper: Sides): Sides {
  const [width, height = width] = words.flatMap(inchesOf);
  if (width !== undefined && height !== undefined) return [width, height];
  const named = words.map((word) => entryOf(PAGE_SIZES, word)).find((size) => size !== undefined);
  const isLandscape = words.includes('landscape');
  if (!named && !isLandscape && !words.includes('portrait')) return paper;
  const sides = named?.map(lengthInInches) ?? paper;
  return isLandscape ? [Math.max(...sides), Math.min(...sides)] : [Math.min(...sides), Math.max(...sides)];
}

function inchesOf(word: string): number[] {
  const [, number, unit = ''] = LENGTH.exec(word) ?? [];
  return number === undefined ? [] : [Number(number) / (UNITS_PER_INCH[unit] ?? 1)];
}
