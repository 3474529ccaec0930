import type { TextRange } from '../code/text-position.ts';
import { align } from './align.ts';
import { foldText, type FoldedText } from './folded-text.ts';

/** A text of a rendered template, and where the template has it. */
export interface RenderedPiece extends TextRange {
  readonly text: string;
  /** Whether the template has the same text, so that each of its words has an own place. */
  readonly isLiteral: boolean;
}

/** Where the texts of a page come from in the template. */
export interface PageSource {
  /** Returns the word or binding that made a character of the page; undefined when it is not known. */
  readonly sourceOf: (index: number) => TextRange | undefined;
  /** Returns the characters of the page that a position of the template made. */
  readonly madeBy: (offset: number) => readonly TextRange[];
}

/** The rendered text of a template. It finds the same words in the text of a page. */
export class SourceMap {
  readonly #text: FoldedText;
  /** Source of each character of the rendered text. */
  readonly #ranges: readonly TextRange[];

  constructor(pieces: readonly RenderedPiece[]) {
    const chars: string[] = [];
    const starts: boolean[] = [];
    const ranges: TextRange[] = [];
    for (const piece of pieces) {
      const folded = foldText(piece.text);
      chars.push(folded.chars);
      starts.push(...folded.starts);
      ranges.push(...rangesOf(piece, folded));
    }
    this.#ranges = ranges;
    this.#text = { chars: chars.join(''), offsets: [], starts };
  }

  pageSource(page: FoldedText): PageSource {
    const sources = Array.from(align(page, this.#text), (position) => this.#ranges[position]);
    return {
      sourceOf: (index) => sources[index],
      madeBy: (offset) => {
        const found: { from: number; to: number }[] = [];
        for (const [index, source] of sources.entries()) {
          if (!source || source.from > offset || source.to < offset) continue;
          const last = found.at(-1);
          if (last?.to === index) last.to = index + 1;
          else found.push({ from: index, to: index + 1 });
        }
        return found;
      },
    };
  }
}

/** A text of the template has a range for each word, and a binding one for all that it prints. */
function rangesOf({ from, to, isLiteral }: RenderedPiece, { offsets, starts }: FoldedText): TextRange[] {
  return offsets.map((_, index) => {
    if (!isLiteral) return { from, to };
    const first = starts.lastIndexOf(true, index);
    const next = starts.indexOf(true, index + 1);
    const last = offsets[next < 0 ? offsets.length - 1 : next - 1] ?? 0;
    return { from: from + (offsets[first] ?? 0), to: from + last + 1 };
  });
}
