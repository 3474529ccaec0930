import { AlignmentType, LevelFormat, type IParagraphOptions } from 'docx';
import type { LaidOut } from './snapshot-tree.ts';
import { entryOf } from './units.ts';

/** An open list and its nesting level. */
export interface ListPosition {
  readonly instance: number;
  readonly level: number;
  readonly start: number;
}

type Format = (typeof LevelFormat)[keyof typeof LevelFormat];

const BULLETS: Readonly<Record<string, string>> = { disc: '•', circle: '◦', square: '▪' };
const NUMBERS: Readonly<Record<string, Format>> = {
  decimal: LevelFormat.DECIMAL,
  'decimal-leading-zero': LevelFormat.DECIMAL_ZERO,
  'lower-alpha': LevelFormat.LOWER_LETTER,
  'lower-latin': LevelFormat.LOWER_LETTER,
  'upper-alpha': LevelFormat.UPPER_LETTER,
  'upper-latin': LevelFormat.UPPER_LETTER,
  'lower-roman': LevelFormat.LOWER_ROMAN,
  'upper-roman': LevelFormat.UPPER_ROMAN,
};
const DEEPEST = 8;
/** Word cannot start numbering at a larger number. */
const LARGEST_START = 32_767;
/**
 * The library locates its placeholders by a name in braces, and a text may contain the same; no text contains this
 * character.
 */
const NOT_IN_TEXT = '\uffff';
/** In twips. */
const STEP = 600;
const HANGING = 300;

/** The lists of a document; each has its own numbering. */
export class Lists {
  readonly #definitions = new Map<string, { type: string; start: number }>();
  #instances = 0;

  enter({ attributes }: LaidOut, outer: ListPosition | undefined): ListPosition {
    this.#instances += 1;
    const start = Number.parseInt(attributes['start'] ?? '1', 10);
    return {
      instance: this.#instances,
      level: Math.min(DEEPEST, outer ? outer.level + 1 : 0),
      start: Number.isNaN(start) || start < 0 || start > LARGEST_START ? 1 : start,
    };
  }

  /**
   * Returns the numbering that makes a paragraph a list item, numbered or marked according to `type` (list-style-type).
   */
  numberingOf(position: ListPosition, type: string): NonNullable<IParagraphOptions['numbering']> {
    const { instance, level, start } = position;
    const known = entryOf(NUMBERS, type) || entryOf(BULLETS, type) ? type : 'disc';
    const reference = `${NOT_IN_TEXT}${known}-${start}`;
    this.#definitions.set(reference, { type: known, start });
    return { reference, level, instance };
  }

  get config() {
    return [...this.#definitions].map(([reference, { type, start }]) => ({
      reference,
      levels: Array.from({ length: DEEPEST + 1 }, (_, level) => ({
        level,
        start,
        format: entryOf(NUMBERS, type) ?? LevelFormat.BULLET,
        text: entryOf(BULLETS, type) ?? `%${level + 1}.`,
        alignment: AlignmentType.LEFT,
        style: { paragraph: { indent: { left: STEP * (level + 1), hanging: HANGING } } },
      })),
    }));
  }
}
