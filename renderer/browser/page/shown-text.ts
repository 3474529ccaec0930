import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';

/** Text that a document shows. */
export interface ShownText {
  /** Cells end with a tab, and blocks with a line feed. */
  readonly text: string;
  /** The document's `lang`. */
  readonly language?: string;
}

/** Limits for documents whose text is read: elements, and characters including style sheets. */
const MAX_ELEMENTS = 200_000;
const MAX_CHARACTERS = 1_000_000;

/** `innerText` excludes hidden text, and text that style sheets generate. */
const READ = `(() => {
  const read = (prototype, name, node) => getter(prototype, name)(node);
  const isLarge = elementsIn(root, '*').length > ${MAX_ELEMENTS} || read(Node.prototype, 'textContent', root).length > ${MAX_CHARACTERS};
  if (isLarge) return undefined;
  const text = read(HTMLElement.prototype, 'innerText', querySelectorAll('body')[0]);
  return { text, language: getAttribute(root, 'lang') ?? undefined };
})()`;

/** Returns the text of the current document; undefined if it is too large or cannot be read. */
export async function shownText(session: CDPSession, frameId: string): Promise<ShownText | undefined> {
  return measured<ShownText | undefined>(session, frameId, READ);
}
