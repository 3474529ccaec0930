import type { TextRange } from '../code/text-position.ts';

/** A start or end tag. */
export interface Tag extends TextRange {
  readonly kind: 'begin' | 'end';
  readonly name: string;
}

/** Elements that end a paragraph, where they begin and where they end. */
const BLOCKS = new Set(
  (
    'address article aside blockquote center details dialog div dl fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hr main menu nav ol pre search section ul'
  ).split(' '),
);
/** Elements whose content has separate paragraphs. A table ends a paragraph only in standards mode. */
const SCOPES = new Set(['button', 'object', 'svg', 'table', 'template']);

/** Whether a paragraph is open. `outer`: the same as before the template block. */
type State = 'closed' | 'open' | 'unknown' | 'outer';

/** Finds end tags of paragraphs that are not open, each of which prints an empty paragraph. */
export class Paragraphs {
  readonly strayEnds: Tag[] = [];
  #state: State;
  readonly #outer: State[] = [];

  /** `isRoot`: whether it is outside every block of the template. */
  constructor(isRoot: boolean) {
    this.#state = isRoot ? 'closed' : 'outer';
  }

  /** Whether the tags of an element matter. */
  static concerns(name: string): boolean {
    return name === 'p' || BLOCKS.has(name) || SCOPES.has(name);
  }

  take(tag: Tag): void {
    const { kind, name } = tag;
    if (name === 'p') this.#takeParagraph(tag);
    else if (BLOCKS.has(name)) this.#state = 'closed';
    else if (SCOPES.has(name)) this.#takeScope(kind);
  }

  /** Continues after a template block, whose content may or may not be printed. */
  takeBlock(inner: Paragraphs): void {
    if (inner.#state !== 'outer' && inner.#state !== this.#state) this.#state = 'unknown';
  }

  #takeParagraph(tag: Tag): void {
    if (tag.kind === 'end' && this.#state === 'closed') this.strayEnds.push(tag);
    this.#state = tag.kind === 'begin' ? 'open' : 'closed';
  }

  #takeScope(kind: Tag['kind']): void {
    if (kind === 'begin') {
      this.#outer.push(this.#state);
      this.#state = 'closed';
    } else {
      const outer = this.#outer.pop() ?? 'unknown';
      this.#state = outer === 'open' ? 'unknown' : outer;
    }
  }
}
