import { isNumber, type TokenVisitor } from '../file/pdf-tokens.ts';

/** Operators that neither draw nor begin anything, so they need no artifact. */
const STATE = new Set('q Q cm gs g G rg RG cs CS sc SC scn SCN w J j M d i ri'.split(' '));

const OPEN = '\n/Artifact BMC\n';
const CLOSE = '\nEMC\n';

/** Change at an operator: a string to insert before it, and one to replace it and its operands. */
interface Change {
  readonly before?: string;
  readonly instead?: string;
}

/** An operator of a content stream. */
interface Operator {
  readonly name: string;
  /** Last name among its operands. */
  readonly operand: string;
  /** Whether it begins structure content or an artifact. */
  readonly isMark: boolean;
}

/** What to draw: the drawing with its marks, the drawing if it has none, or another one, given by its resource name. */
export type DrawingUse = 'marked' | 'unmarked' | { readonly instead: string };

const UNCHANGED: Change = {};

/** Changes content, one operator after another. */
export interface ContentChanges {
  change(operator: Operator): Change;
  /** Returns the operators at the end. */
  close(): string;
}

/** Removes all marks. Other sequences keep their ends, so a mark becomes a sequence without a meaning. */
export const UNMARKED: ContentChanges = {
  change: ({ isMark }) => (isMark ? { instead: '\n/Span BMC' } : UNCHANGED),
  close: () => '',
};

interface MarksContext {
  /** Returns how to draw a drawing, given by its resource name. */
  readonly use: (drawing: string) => DrawingUse;
  /** Returns the error for overlapping marks. */
  readonly unexpected: () => Error;
}

/**
 * Tracks what the current content belongs to. The browser neither nests its marks nor splits them between text objects;
 * it may leave a mark open around a drawing that has marks.
 */
export class ContentMarks implements ContentChanges {
  /** `cut`: in a mark that was closed early, before a drawing with marks. */
  #within: 'nothing' | 'artifact' | 'mark' | 'cut' = 'nothing';
  /** Number of open sequences within the mark or the artifact. */
  #nested = 0;
  #isText = false;
  readonly #context: MarksContext;

  constructor(context: MarksContext) {
    this.#context = context;
  }

  change(operator: Operator): Change {
    const { name, operand } = operator;
    if (name === 'BMC' || name === 'BDC') return this.#begin(operator);
    if (name === 'EMC') return this.#end();
    if (name === 'Do') return this.#drawObject(this.#context.use(operand));
    if (STATE.has(name)) return UNCHANGED;
    if (name === 'BT') this.#isText = true;
    if (name === 'ET') this.#isText = false;
    return this.#draw();
  }

  /** Returns the operators that close the content. */
  close(): string {
    if (this.#within === 'mark' || this.#within === 'cut') throw this.#context.unexpected();
    return this.#within === 'artifact' ? CLOSE : '';
  }

  #draw(): Change {
    if (this.#within === 'cut') throw this.#context.unexpected();
    if (this.#within !== 'nothing') return UNCHANGED;
    this.#within = 'artifact';
    return { before: OPEN };
  }

  #drawObject(use: DrawingUse): Change {
    if (use === 'marked') return this.#split();
    return use === 'unmarked' ? this.#draw() : { ...this.#draw(), instead: `/${use.instead} Do` };
  }

  #begin({ isMark }: Operator): Change {
    if (!isMark) {
      const change = this.#draw();
      this.#nested += 1;
      return change;
    }
    const change = this.#leave();
    if (this.#within !== 'nothing') throw this.#context.unexpected();
    this.#within = 'mark';
    return change;
  }

  #end(): Change {
    if (this.#nested > 0) {
      this.#nested -= 1;
      return UNCHANGED;
    }
    const removed = this.#within === 'cut';
    if (this.#isText || !(removed || this.#within === 'mark')) throw this.#context.unexpected();
    this.#within = 'nothing';
    return removed ? { instead: '' } : UNCHANGED;
  }

  /** Closes the mark or artifact before a drawing with marks, which must not be part of anything else. */
  #split(): Change {
    if (this.#within !== 'mark') return this.#leave();
    if (this.#nested > 0 || this.#isText) throw this.#context.unexpected();
    this.#within = 'cut';
    return { before: CLOSE };
  }

  #leave(): Change {
    if (this.#nested > 0 || this.#isText) throw this.#context.unexpected();
    if (this.#within !== 'artifact') return UNCHANGED;
    this.#within = 'nothing';
    return { before: CLOSE };
  }
}

/** Applies changes to a part of a content stream that ends between two tokens. */
export class MarkingScan implements TokenVisitor {
  /** Byte after the last operator. */
  end = 0;
  readonly #bytes: Buffer;
  readonly #changes: ContentChanges;
  readonly #parts: (Buffer | string)[] = [];
  /** Number of input bytes already copied to `#parts`. */
  #copied = 0;
  #operand = '';
  #isMark = false;

  constructor(bytes: Buffer, changes: ContentChanges) {
    this.#bytes = bytes;
    this.#changes = changes;
  }

  word(start: number, end: number): void {
    if (isNumber(this.#bytes, start)) return;
    const name = this.#bytes.toString('latin1', start, end);
    const { before, instead } = this.#changes.change({
      name,
      operand: this.#operand,
      isMark: this.#isMark,
    });
    if (before !== undefined || instead !== undefined) {
      this.#copy(this.end);
      this.#parts.push(before ?? '\n', instead ?? '');
    }
    if (instead !== undefined) this.#copied = end;
    this.end = end;
    this.#operand = '';
    this.#isMark = false;
  }

  name(start: number, end: number): void {
    this.#operand = this.#bytes.toString('latin1', start + 1, end);
    if (this.#operand === 'MCID' || this.#operand === 'Artifact') this.#isMark = true;
  }

  string(): void {}

  dictionary(): void {}

  /** Returns the content up to the last operator. */
  written(): readonly (Buffer | string)[] {
    this.#copy(this.end);
    return this.#parts;
  }

  #copy(end: number): void {
    if (end <= this.#copied) return;
    this.#parts.push(this.#bytes.subarray(this.#copied, end));
    this.#copied = end;
  }
}
