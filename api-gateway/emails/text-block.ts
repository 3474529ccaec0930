/** Lines of text in the making: white space as html has it, lines and paragraphs as mail has them. */
export class TextBlock {
  #text = '';
  /** Line breaks to be made before the next word; not before the first. */
  #breaks = 0;
  #space = false;

  /** Whether nothing is to be seen. */
  get isEmpty(): boolean {
    return this.#text === '';
  }

  /** Takes a text of html: every run of white space is one space, and none at the start of a line. */
  write(text: string): void {
    const words = text.replaceAll(/\s+/g, ' ');
    if (words.startsWith(' ')) this.#space = true;
    const shown = words.trim();
    if (shown === '') return;
    this.#put(shown);
    this.#space = words.endsWith(' ');
  }

  /** Takes a text whose spaces and lines are meant. */
  writeAsIs(text: string): void {
    const [first = '', ...others] = text.split('\n');
    if (first !== '') this.#put(first);
    for (const line of others) {
      this.#breaks += 1;
      if (line.trim() !== '') this.#put(line);
    }
  }

  /** What comes next begins a line, with `empty` lines between at least. */
  endLine(empty = 0): void {
    this.#breaks = Math.max(this.#breaks, empty + 1);
    this.#space = false;
  }

  /** `<br>`: two of them make an empty line, more of them no more. */
  breakLine(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2);
    this.#space = false;
  }

  /** Takes another block in, as lines of its own: the first begins with `first`, the others with `rest`. */
  append(block: string, first: string, rest: string): void {
    if (block === '') return;
    const lines = block.split('\n');
    this.#put(lines.map((line, index) => (index === 0 ? first : rest) + line).join('\n'));
  }

  toString(): string {
    return this.#text.replaceAll(/[ \t]+$/gm, '');
  }

  #put(text: string): void {
    if (this.#text !== '') {
      const space = this.#space ? ' ' : '';
      this.#text += this.#breaks > 0 ? '\n'.repeat(this.#breaks) : space;
    }
    this.#text += text;
    this.#breaks = 0;
    this.#space = false;
  }
}
