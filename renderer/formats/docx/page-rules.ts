import { lengthInInches, PAGE_SIZES } from '@trifold/crds';
import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import type { Findings } from './findings.ts';
import { stringAt, type ParsedSnapshot } from './snapshot-tree.ts';
import { entryOf, SIDES } from './units.ts';

/** A rule for all pages, up to its first margin box. */
const RULE = /@page\s{0,20}\{([^}@]{0,1000})/gi;
/** CSS Paged Media 3, "page-margin boxes". */
const MARGIN_BOX =
  /@(?:top|right|bottom|left)-(?:left|center|right|top|middle|bottom)(?:-corner)?\s{0,20}\{/i;
const IMPORTANT = /\s*!\s*important$/;
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
/** Values of the `@page` rules for all pages, by property. */
type Values = ReadonlyMap<string, string>;

/** Adds what `@page` rules set differently than the options, which alone determine the pages of the file. */
export function findPageRules(snapshot: ParsedSnapshot, page: PageGeometry, findings: Findings): void {
  const sheets = Array.from(styleSheets(snapshot), withoutComments);
  const values = valuesOf(sheets);
  if (setsSize(values, page))
    findings.unsupported('@page size', 'The pages have the size that the options set.');
  if (setsMargins(values, page))
    findings.unsupported('@page margins', 'The pages have the margins that the options set.');
  if (sheets.some((css) => MARGIN_BOX.test(css)))
    findings.unsupported('@page margin boxes', 'They are left out. Use a header or a footer.');
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

/** The last declaration applies, important ones first. Request options count as important rules. */
function valuesOf(sheets: readonly string[]): Values {
  const rules = sheets.flatMap((css) => Array.from(css.matchAll(RULE), ([, block = '']) => block));
  const declared = rules
    .flatMap((block) => block.toLowerCase().split(';'))
    .map((declaration) => declaration.split(':', 2).map((part) => part.trim()))
    .flatMap(([name = '', value = '']) => longhands(name, value));
  const isImportant = ([, value]: readonly [string, string]) => IMPORTANT.test(value);
  const ordered = [...declared.filter((each) => !isImportant(each)), ...declared.filter(isImportant)];
  return new Map(ordered.map(([name, value]) => [name, value.replace(IMPORTANT, '')]));
}

function longhands(name: string, value: string): [string, string][] {
  if (name !== 'margin') return [[name, value]];
  const important = IMPORTANT.exec(value)?.[0] ?? '';
  const [top = '', right = top, bottom = top, left = right] = value.replace(IMPORTANT, '').split(/\s+/);
  const sides = { top, right, bottom, left };
  return SIDES.map((side) => [`margin-${side}`, sides[side] + important]);
}

function setsSize(values: Values, { width, height }: PageGeometry): boolean {
  const sides = sidesOf((values.get('size') ?? 'auto').split(/\s+/), [width, height]);
  return Math.abs(sides[0] - width) >= ROUNDING || Math.abs(sides[1] - height) >= ROUNDING;
}

function setsMargins(values: Values, { margins, header, footer }: PageGeometry): boolean {
  const expected = { ...margins, top: margins.top + header, bottom: margins.bottom + footer };
  return SIDES.some((side) => {
    const [inches] = inchesOf(values.get(`margin-${side}`) ?? '');
    return inches !== undefined && Math.abs(inches - expected[side]) >= ROUNDING;
  });
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
  if (word === '0') return [0];
  const [, number, unit = ''] = LENGTH.exec(word) ?? [];
  return number === undefined ? [] : [Number(number) / (UNITS_PER_INCH[unit] ?? 1)];
}
