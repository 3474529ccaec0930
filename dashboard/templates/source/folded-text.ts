/** A text for comparison: lower case, in compatibility forms, without white space. */
export interface FoldedText {
  readonly chars: string;
  /** Offset of each character in the original text. */
  readonly offsets: readonly number[];
  /** Whether a word begins at a character. */
  readonly starts: readonly boolean[];
}

const SPACE = /[\s\u00AD\u200B]/;

/** Returns the text as it is compared, because a page differs from its source in spaces, ligatures and capitals. */
export function foldText(text: string): FoldedText {
  const chars: string[] = [];
  const offsets: number[] = [];
  const starts: boolean[] = [];
  let isStart = true;
  let offset = 0;
  for (const character of text) {
    if (SPACE.test(character)) {
      isStart = true;
    } else {
      for (const folded of character.normalize('NFKD').toLowerCase().split('')) {
        chars.push(folded);
        offsets.push(offset);
        starts.push(isStart);
        isStart = false;
      }
    }
    offset += character.length;
  }
  return { chars: chars.join(''), offsets, starts };
}
