import { AlignmentType, LevelFormat, LevelSuffix, type IParagraphOptions, type IRunOptions } from 'docx';
import { fontOf } from './inline.ts';
import type { LaidOut } from './snapshot-tree.ts';
import { entryOf } from './units.ts';

/** An open list, its nesting level, and the number of its next item. */
export interface ListPosition {
  readonly level: number;
  readonly isReversed: boolean;
  instance: number;
  /** Number at which Word starts counting this instance, and the next number in it. */
  start: number;
  counted: number;
  /** Number of the next item. */
  next: number;
  /** Appearance of the counted numbers. Word counts numbers that look different separately. */
  look?: string;
}

/** A marker that Word counts, or one that is written as text. */
export type Marker =
  | { readonly numbering: NonNullable<IParagraphOptions['numbering']> }
  | { readonly text: string };

type Format = (typeof LevelFormat)[keyof typeof LevelFormat];

/** Chromium's text for `square` differs; a marker with an image has none. */
const BULLET_TEXTS = new Set(['•', '◦', '▪', '■', '']);
const BULLETS: Readonly<Record<string, string>> = { disc: '•', circle: '◦', square: '▪' };

const ROMAN_DIGITS = {
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
};
const ROMAN = Object.entries(ROMAN_DIGITS);

/** Numbers as Word writes them. */
const roman = (number: number) => {
  let [rest, text] = [number, ''];
  for (const [digits, value] of ROMAN) {
    text += digits.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
};
/** After `z` comes `aa`, then `bb`. */
const letters = (number: number) =>
  String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
const upper = (write: (number: number) => string) => (number: number) => write(number).toUpperCase();

interface Numbers {
  readonly format: Format;
  readonly least: number;
  readonly write: (number: number) => string;
}

const DECIMAL: Numbers = { format: LevelFormat.DECIMAL, least: 0, write: String };
const LOWER: Numbers = { format: LevelFormat.LOWER_LETTER, least: 1, write: letters };
const UPPER: Numbers = { format: LevelFormat.UPPER_LETTER, least: 1, write: upper(letters) };
const NUMBERS: Readonly<Record<string, Numbers>> = {
  decimal: DECIMAL,
  'decimal-leading-zero': {
    format: LevelFormat.DECIMAL_ZERO,
    least: 1,
    write: (number) => String(number).padStart(2, '0'),
  },
  'lower-alpha': LOWER,
  'lower-latin': LOWER,
  'upper-alpha': UPPER,
  'upper-latin': UPPER,
  'lower-roman': { format: LevelFormat.LOWER_ROMAN, least: 1, write: roman },
  'upper-roman': { format: LevelFormat.UPPER_ROMAN, least: 1, write: upper(roman) },
};
const DEEPEST = 8;
/** Word cannot count further. Roman numerals and letters get longer with the number. */
const MAX_NUMBER = 32_767;
const MAX_LONG_NUMBER = 780;
/** Further lists get text markers: each definition takes 3 KB in the file. */
const MAX_DEFINITIONS = 500;
/** Further jumps in numbering become text: the time to write a file grows quadratically with its lists. */
const MAX_INSTANCES = 2000;
/**
 * The library locates its placeholders by a name in braces, which text may also contain; no text contains this
 * character.
 */
const NOT_IN_TEXT = '\uffff';
/** In twips. */
const STEP = 600;
const HANGING = 300;

interface Definition {
  readonly reference: string;
  readonly type: string;
  readonly start: number;
  readonly isInside: boolean;
  readonly run: IRunOptions;
}

/** The lists of a document, each numbered separately. */
export class Lists {
  /** By their complete content, as JSON. */
  readonly #definitions = new Map<string, Definition>();
  #instances = 0;

  enter({ attributes }: LaidOut, outer: ListPosition | undefined): ListPosition {
    this.#instances += 1;
    const given = Number.parseInt(attributes['start'] ?? '1', 10);
    const start = Number.isNaN(given) ? 1 : given;
    const level = Math.min(DEEPEST, outer ? outer.level + 1 : 0);
    const isReversed = attributes['reversed'] !== undefined;
    return { instance: this.#instances, level, start, counted: start, next: start, isReversed };
  }

  /** Returns the marker of a list item. Word counts it if the result is the same as in the browser. */
  markerOf(item: LaidOut, marker: LaidOut, position = this.enter(item, undefined)): Marker {
    const type = item.style['list-style-type'];
    const text = marker.children.map((child) => child.text).join('');
    const value = this.number(item, position);
    if (entryOf(BULLETS, type) !== undefined && BULLET_TEXTS.has(text.trim())) {
      return this.#defined(item, marker, position) ?? { text };
    }
    const look = JSON.stringify(lookOf(item, marker));
    if (text !== `${written(type, value)}. ` || !this.#countsTo(value, look, position)) return { text };
    return this.#defined(item, marker, position) ?? { text };
  }

  /** Whether Word can count to this number, in another instance if necessary. */
  #countsTo(value: number, look: string, position: ListPosition): boolean {
    if (position.isReversed) return false;
    if (value !== position.counted || (position.look ?? look) !== look) {
      if (this.#instances >= MAX_INSTANCES) return false;
      this.#instances += 1;
      Object.assign(position, { instance: this.#instances, start: value });
    }
    Object.assign(position, { counted: value + 1, look });
    return true;
  }

  /** Returns the number of the next item, which may have no marker. */
  number({ attributes }: LaidOut, position: ListPosition): number {
    const given = Number.parseInt(attributes['value'] ?? '', 10);
    const value = Number.isNaN(given) ? position.next : given;
    position.next = value + 1;
    return value;
  }

  /** Returns undefined when there are too many definitions. */
  #defined(item: LaidOut, marker: LaidOut, { instance, level, start }: ListPosition): Marker | undefined {
    const look = lookOf(item, marker);
    const isNumbered = entryOf(BULLETS, look.type) === undefined;
    const definition = { ...look, start: isNumbered ? start : 1 };
    const key = JSON.stringify(definition);
    const known = this.#definitions.get(key);
    if (!known && this.#definitions.size >= MAX_DEFINITIONS) return undefined;
    const reference = known?.reference ?? `${NOT_IN_TEXT}${this.#definitions.size}`;
    this.#definitions.set(key, known ?? { ...definition, reference });
    return { numbering: { reference, level, instance } };
  }

  get config() {
    return Array.from(this.#definitions.values(), ({ reference, type, start, isInside, run }) => ({
      reference,
      levels: Array.from({ length: DEEPEST + 1 }, (_, level) => ({
        level,
        start,
        format: entryOf(NUMBERS, type)?.format ?? LevelFormat.BULLET,
        text: entryOf(BULLETS, type) ?? `%${level + 1}.`,
        alignment: AlignmentType.LEFT,
        ...(isInside && { suffix: LevelSuffix.SPACE }),
        style: { run, paragraph: { indent: { left: STEP * (level + 1), hanging: HANGING } } },
      })),
    }));
  }
}

function lookOf({ style }: LaidOut, marker: LaidOut): Omit<Definition, 'reference' | 'start'> {
  const isInside = style['list-style-position'] === 'inside';
  return { type: style['list-style-type'], isInside, run: fontOf(marker.style) };
}

/** Returns undefined for formats that Word does not support. */
function written(type: string, number: number): string | undefined {
  const numbers = entryOf(NUMBERS, type);
  if (!numbers || number < numbers.least) return undefined;
  const most = numbers === DECIMAL ? MAX_NUMBER : MAX_LONG_NUMBER;
  return number <= most || (/roman/.test(type) && number < 4000) ? numbers.write(number) : undefined;
}
