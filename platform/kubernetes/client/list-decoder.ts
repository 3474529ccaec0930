import { TurnBudget } from '../../async/turn-budget.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Bytes below this one are commas, colons, digits and white space, which matter only among the list's own fields. */
const FIRST_BRACKET = OPENING_BRACKET;

/** Shared by the items of all lists that this process reads. */
const TURNS = new TurnBudget();

/** Nesting depth of a list's own fields. */
const MEMBERS = 1;
/** Depth between two items. */
const ITEMS = 2;

/** Part of a list: an item, the bytes between two items, or everything else. */
type Part = 'item' | 'between' | 'outline';

/**
 * Parses a list item by item as it arrives, so that neither memory use nor event loop turns depend on the page size.
 * Makes one forward scan of the bytes. `push` and `end` throw a SyntaxError for invalid JSON.
 */
export class ListDecoder {
  readonly #onItem: (item: unknown) => void;
  /** The list without its items. */
  readonly #outline: Uint8Array[] = [];
  /** The current item, as far as it has arrived. */
  #item: Uint8Array[] = [];
  /** The items that are complete. */
  readonly #items: Uint8Array[] = [];
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isItems = false;
  /** The last string among the list's own fields: the name of a field, or its value. */
  #text = '';

  constructor(onItem: (item: unknown) => void) {
    this.#onItem = onItem;
  }

  async push(piece: Uint8Array): Promise<void> {
    let start = 0;
    for (let at = 0; at < piece.length;) {
      if (this.#isString) {
        at = this.#skipString(piece, at);
        continue;
      }
      const code = piece[at] as number;
      at += 1;
      if (code < FIRST_BRACKET && code !== QUOTE && this.#depth !== MEMBERS) continue;
      const before = this.#part;
      this.#step(code);
      if (this.#part === before) continue;
      // A bracket is part of the value that it opens or closes.
      const end = before === 'between' ? at - 1 : at;
      this.#keep(piece.subarray(start, end), before);
      start = end;
      if (before === 'item') this.#endItem();
    }
    this.#keep(piece.subarray(start), this.#part);
    if (this.#items.length > 0) await this.#parseItems();
  }

  /** Returns the list without its items. */
  end(): unknown {
    return JSON.parse(Buffer.concat(this.#outline).toString());
  }

  get #part(): Part {
    if (!this.#isItems) return 'outline';
    return this.#depth > ITEMS ? 'item' : 'between';
  }

  #keep(bytes: Uint8Array, part: Part): void {
    if (part === 'item') this.#item.push(bytes);
    if (part === 'outline') this.#outline.push(bytes);
  }

  #endItem(): void {
    const [first, ...others] = this.#item;
    // Large objects arrive in one piece, which need not be copied.
    this.#items.push(first && others.length === 0 ? first : Buffer.concat(this.#item));
    this.#item = [];
  }

  /**
   * Parses the items of a piece together: if each waited for its turn, a list of many small items would take as many
   * turns as a list of large items.
   */
  async #parseItems(): Promise<void> {
    const items = this.#items.splice(0);
    let parsed = 0;
    while (parsed < items.length) {
      await TURNS.run(() => {
        do this.#parse(items[parsed++] as Uint8Array);
        while (parsed < items.length && !TURNS.isSpent);
      });
    }
  }

  #parse({ buffer, byteOffset, length }: Uint8Array): void {
    TURNS.spend(length);
    this.#onItem(JSON.parse(Buffer.from(buffer, byteOffset, length).toString()));
  }

  /** Advances over one byte outside of strings. */
  #step(code: number): void {
    if (code === QUOTE) this.#beginString();
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) this.#open(code);
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) this.#close();
    else if (this.#depth === MEMBERS && (code === COLON || code === COMMA))
      this.#text += String.fromCharCode(code);
  }

  #beginString(): void {
    this.#isString = true;
    if (this.#depth === MEMBERS) this.#text = '';
  }

  #open(code: number): void {
    this.#depth += 1;
    if (this.#depth === ITEMS && code === OPENING_BRACKET) this.#isItems = this.#text === 'items:';
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < ITEMS) this.#isItems = false;
  }

  /** Returns the position after the end of the string, or the end of the chunk. */
  #skipString(piece: Uint8Array, start: number): number {
    let from = start + Number(this.#isEscaped);
    this.#isEscaped = false;
    for (;;) {
      const quote = piece.indexOf(QUOTE, from);
      const end = quote < 0 ? piece.length : quote;
      const isEscaped = backslashesBefore(piece, from, end) % 2 === 1;
      if (this.#depth === MEMBERS) this.#text += Buffer.from(piece.subarray(start, end)).toString();
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return end;
      }
      if (!isEscaped) {
        this.#isString = false;
        return end + 1;
      }
      from = end + 1;
    }
  }
}

/** Number of backslashes that end at `end`, not before `start`. */
function backslashesBefore(piece: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && piece[at - 1] === BACKSLASH) at -= 1;
  return end - at;
}
