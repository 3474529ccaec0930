/** A letter as it is written: everything with bindings but the css. */
export interface Letter {
  readonly subject: string;
  readonly preheader?: string;
  readonly html: string;
  /** Made from the html when it is left out or empty. */
  readonly text?: string;
  readonly css?: string;
}

/** The parts of a letter that have bindings. */
export type LetterPart = 'subject' | 'preheader' | 'html' | 'text';

/** What becomes of a letter and data. */
export interface CompiledLetter {
  /** One line. */
  readonly subject: string;
  /** One line, plain text; empty when the letter has none. */
  readonly preheader: string;
  /** For inboxes. */
  readonly html: string;
  readonly text: string;
}
