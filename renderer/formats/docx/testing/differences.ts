import type { PrintedPage } from './printed-file.ts';
import type { ShownImage } from './printed-images.ts';
import type { Word } from './printed-words.ts';

export type Property =
  | 'words'
  | 'marks'
  | 'header and footer'
  | 'links'
  | 'images'
  | 'pages'
  | 'blank page'
  | 'edge'
  | 'margins'
  | 'place';

export interface Comparison {
  /** Pages that the renderer printed. */
  readonly ours: readonly PrintedPage[];
  /** Pages that the other program rendered from the DOCX. */
  readonly theirs: readonly PrintedPage[];
  /** Between the margins, the header and the footer, in points from the left and top edges of the page. */
  readonly area: Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>;
  /** First words of each subsequent page, such as the words in a `thead`. */
  readonly repeated?: string | undefined;
  /** Marks that the browser draws but the DOCX contains as characters: list markers, states of controls. */
  readonly marks?: string | undefined;
}

/** Lists the differences in the second file, one line each, starting with the property. */
export function differences(comparison: Comparison): string[] {
  const found: Record<Property, readonly string[]> = {
    words: wordDifferences(comparison),
    marks: markDifferences(comparison),
    'header and footer': decorationDifferences(comparison),
    links: listDifferences(comparison, ({ links }) => links),
    images: imageDifferences(comparison),
    pages: pageDifferences(comparison),
    'blank page': comparison.theirs.flatMap((page, index) =>
      isBlank(page, comparison.area) ? [`page ${index + 1}`] : [],
    ),
    edge: comparison.theirs.flatMap(({ isCut }, index) =>
      isCut && comparison.ours[index]?.isCut !== true ? [`page ${index + 1}`] : [],
    ),
    margins: marginDifferences(comparison),
    place: placeDifferences(comparison),
  };
  return Object.entries(found).flatMap(([property, lines]) => lines.map((line) => `${property}: ${line}`));
}

const MARK = /^[•◦▪▸▾☐☑☒◉○]$/u;

function wordDifferences({ ours, theirs, area, repeated = '' }: Comparison): string[] {
  const wordsOf = (pages: readonly PrintedPage[]) =>
    pages.flatMap((page, index) => {
      const words = bodyOf(page, area).filter(({ text }) => !MARK.test(text));
      const texts = words.map(({ text }) => text);
      const repeats = repeated === '' ? [] : repeated.split(' ');
      const isRepeated = index > 0 && repeats.length > 0 && repeats.every((word, at) => texts[at] === word);
      return isRepeated ? texts.slice(repeats.length) : texts;
    });
  return sequenceDifferences(wordsOf(ours), wordsOf(theirs));
}

function bodyOf({ words }: Pick<PrintedPage, 'words'>, { top, bottom }: Comparison['area']): Word[] {
  return words.filter((word) => word.bottom >= top && word.top <= bottom);
}

function markDifferences({ theirs, area, marks = '' }: Comparison): string[] {
  const words = theirs.flatMap((page) => bodyOf(page, area));
  const shown = words.filter(({ text }) => MARK.test(text)).map(({ text }) => text);
  return sequenceDifferences(marks.split(' ').filter(Boolean), shown);
}

const SEPARATOR = { text: '|' };

/** Compares the pages up to the last; the files may have different page counts. */
function decorationDifferences({ ours, theirs, area }: Comparison): string[] {
  const decorationOf = (pages: readonly PrintedPage[], index: number) => {
    const { words = [] } = pages[index] ?? {};
    const above = words.filter(({ bottom }) => bottom < area.top);
    const below = words.filter(({ top }) => top > area.bottom);
    const shown = [...above, SEPARATOR, ...below];
    return shown.map(({ text }) => (text === String(pages.length) ? 'N' : text)).join(' ');
  };
  const total = ours.length === theirs.length ? ours.length : Math.min(ours.length, theirs.length) - 1;
  return Array.from({ length: total }, (_, index) => index).flatMap((index) => {
    const [one, other] = [decorationOf(ours, index), decorationOf(theirs, index)];
    return one === other ? [] : [`page ${index + 1}: "${one}" became "${other}"`];
  });
}

function listDifferences(
  { ours, theirs }: Comparison,
  of: (page: PrintedPage) => readonly string[],
): string[] {
  const [one, other] = [ours, theirs].map((pages) => pages.flatMap(of).toSorted());
  return sequenceDifferences(one ?? [], other ?? []);
}

function imageDifferences({ ours, theirs }: Comparison): string[] {
  const [one, other] = [ours, theirs].map((pages) => pages.flatMap(({ images }) => images));
  const left = [...(other ?? [])];
  const missing = (one ?? []).filter((image) => {
    const at = left.findIndex((each) => looksSame(image, each));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  const nameOf = ({ width, height, colours }: ShownImage) =>
    `${Math.round(width)} by ${Math.round(height)} pt, ${String(colours[0])}`;
  return [...missing.map((each) => `no ${nameOf(each)}`), ...left.map((each) => `instead ${nameOf(each)}`)];
}

const SAME_SIZE = 0.06;
const SAME_COLOUR = 70;

function looksSame(one: ShownImage, other: ShownImage): boolean {
  const isClose = (side: 'width' | 'height') =>
    Math.abs(one[side] - other[side]) <= 2 + SAME_SIZE * Math.max(one[side], other[side]);
  return (
    isClose('width') &&
    isClose('height') &&
    one.colours.every((colour, part) =>
      colour.every((value, channel) => Math.abs(value - (other.colours[part]?.[channel] ?? 0)) < SAME_COLOUR),
    )
  );
}

/** The browser rounds sides to whole CSS pixels; in points. */
const ROUNDING = 1;

function pageDifferences({ ours, theirs }: Comparison): string[] {
  const sides = ([page]: readonly PrintedPage[]) => [page?.width ?? 0, page?.height ?? 0];
  const [one, other] = [sides(ours), sides(theirs)];
  const sameSize = one.every((side, at) => Math.abs(side - (other[at] ?? 0)) < ROUNDING);
  return [
    ...(Math.abs(ours.length - theirs.length) > 1 ? [`${ours.length} became ${theirs.length}`] : []),
    ...(sameSize ? [] : [`${String(one)} pt became ${String(other)} pt`]),
  ];
}

const OVERHANG = 6;

/** Returns the words that extend further outside the content area than in the print. */
function marginDifferences({ ours, theirs, area }: Comparison): string[] {
  const printed = ours.flatMap(({ words }) => words);
  const left = Math.min(area.left, ...printed.map((word) => word.left)) - OVERHANG;
  const right = Math.max(area.right, ...printed.map((word) => word.right)) + OVERHANG;
  const words = theirs.flatMap((page) => page.words);
  const outside = words.filter((word) => word.left < left || word.right > right);
  return outside.length === 0 ? [] : [outside.map(({ text }) => text).join(' ')];
}

function isBlank({ images, ...page }: PrintedPage, area: Comparison['area']): boolean {
  const isInBody = ({ top, height }: ShownImage) => top + height >= area.top && top <= area.bottom;
  return bodyOf(page, area).length === 0 && !images.some(isInBody);
}

/** In points. */
const FAR = 72;

/** Lines that start at a different position between the margins. */
function placeDifferences({ ours, theirs }: Comparison): string[] {
  const [one, other] = [ours, theirs].map((pages) => {
    const words = pages.flatMap((page) => page.words).filter(({ text }) => !MARK.test(text));
    return new Map(words.map((word) => [word.text, word]));
  });
  return [...(one ?? [])].flatMap(([text, word]) => {
    const there = other?.get(text);
    if (!there || !word.isFirst || !there.isFirst) return [];
    const distance = Math.abs(there.left - word.left);
    return distance < FAR ? [] : [`${text} at ${Math.round(word.left)} became ${Math.round(there.left)} pt`];
  });
}

/** Changes between two sequences, with the words that were replaced. */
function sequenceDifferences(one: readonly string[], other: readonly string[]): string[] {
  const lengths = commonLengths(one, other);
  const changes: { removed: string[]; added: string[] }[] = [];
  let [row, column, isOpen] = [0, 0, false];
  while (row < one.length || column < other.length) {
    if (row < one.length && one[row] === other[column]) {
      [row, column, isOpen] = [row + 1, column + 1, false];
      continue;
    }
    if (!isOpen) changes.push({ removed: [], added: [] });
    isOpen = true;
    const takesOther = (lengths[row]?.[column + 1] ?? -1) > (lengths[row + 1]?.[column] ?? -1);
    if (takesOther || row === one.length) changes.at(-1)?.added.push(other[column++] ?? '');
    else changes.at(-1)?.removed.push(one[row++] ?? '');
  }
  return changes.map(({ removed, added }) => `"${removed.join(' ')}" became "${added.join(' ')}"`);
}

/** Lengths of the longest common subsequences of the remainders from each pair of positions. */
function commonLengths(one: readonly string[], other: readonly string[]): number[][] {
  const lengths = Array.from({ length: one.length + 1 }, () =>
    Array.from({ length: other.length + 1 }, () => 0),
  );
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const both = one[row] === other[column] ? 1 + (lengths[row + 1]?.[column + 1] ?? 0) : 0;
      const line = lengths[row];
      if (line) line[column] = Math.max(both, lengths[row + 1]?.[column] ?? 0, line[column + 1] ?? 0);
    }
  }
  return lengths;
}
