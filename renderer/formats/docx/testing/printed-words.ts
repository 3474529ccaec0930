import { execFileSync } from 'node:child_process';
import { Parser } from 'htmlparser2';

/** A word on a page; lengths in points, from the left and top edges of the page. */
export interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether the word is the first on its line. */
  readonly isFirst?: boolean;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
/** Distance between two parts of a word, as a fraction of its height. */
const TOUCHING = 0.08;

/** Returns the words of each page in reading order. Requires `pdftotext`. */
export function printedWords(pdf: Buffer): Word[][] {
  const args = ['-raw', '-bbox', '-', '-'];
  const xhtml = execFileSync('pdftotext', args, {
    input: pdf,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: 'pipe',
  });
  return pagesIn(xhtml).map((words) =>
    linesOf(words).flatMap((line) =>
      joined(logical(line)).map((word, index) => ({ ...word, isFirst: index === 0 })),
    ),
  );
}

function pagesIn(xhtml: string): Word[][] {
  const pages: Word[][] = [];
  let box: Omit<Word, 'text'> | undefined;
  const parser = new Parser(
    {
      onopentag(name, { xMin, xMax, yMin, yMax }) {
        if (name === 'page') pages.push([]);
        if (name === 'word') {
          box = { left: Number(xMin), right: Number(xMax), top: Number(yMin), bottom: Number(yMax) };
        }
      },
      ontext(text) {
        if (box) pages.at(-1)?.push({ ...box, text: text.normalize('NFKC').replaceAll('\u00ad', '') });
      },
      onclosetag: () => (box = undefined),
    },
    { xmlMode: true },
  );
  parser.end(xhtml);
  return pages;
}

/** Words that follow one another on one line. */
function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  let last: Word | undefined;
  for (const word of words) {
    if (last && isSameLine(last, word)) lines.at(-1)?.push(word);
    else lines.push([word]);
    last = word;
  }
  return lines;
}

function isSameLine(one: Word, other: Word): boolean {
  const overlap = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return overlap > Math.min(one.bottom - one.top, other.bottom - other.top) / 2;
}

/** Reverses a line of right-to-left text, which a PDF stores in visual order. */
function logical(line: readonly Word[]): readonly Word[] {
  if (!line.some(({ text }) => RIGHT_TO_LEFT.test(text))) return line;
  const ordered: Word[] = [];
  let leftToRight: Word[] = [];
  const words = line.flatMap(withoutPunctuation);
  for (const word of words.toSorted((one, other) => other.left - one.left)) {
    if (/[a-z]/i.test(word.text)) leftToRight.unshift(word);
    else {
      ordered.push(...leftToRight, { ...word, text: reversed(word.text) });
      leftToRight = [];
    }
  }
  return [...ordered, ...leftToRight];
}

/** Programs disagree on whether the punctuation left of a Latin word belongs to it. */
function withoutPunctuation(word: Word): Word[] {
  const [, mark = '', rest = ''] = /^([.,:;!?]+)([a-z].*)$/i.exec(word.text) ?? [];
  return mark === ''
    ? [word]
    : [
        { ...word, text: rest },
        { ...word, text: mark, right: word.left },
      ];
}

/** Numbers keep their direction. */
function reversed(text: string): string {
  const parts = text.split(/(\d(?:[\d.,:/]*\d)?)/u);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : Array.from(part).toReversed().join('')))
    .toReversed()
    .join('');
}

/** Programs split words where the font changes. */
function joined(line: readonly Word[]): Word[] {
  const words: Word[] = [];
  for (const word of line) {
    const last = words.at(-1);
    const gap = last ? Math.max(word.left - last.right, last.left - word.right) : Infinity;
    if (last && gap < (word.bottom - word.top) * TOUCHING) words[words.length - 1] = merged(last, word);
    else words.push(word);
  }
  return words;
}

function merged(one: Word, other: Word): Word {
  return {
    text: one.text + other.text,
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
  };
}
