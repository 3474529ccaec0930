import { DECORATION_NAMES, type DecorationName } from '@trifold/platform/templating/decorations.ts';
import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';

/** A header or footer that is higher than its space. */
export interface HighDecoration {
  readonly name: DecorationName;
  /** Height of the content and of the space, in CSS pixels. */
  readonly needed: number;
  readonly height: number;
}

/**
 * Margins of the content do not count: nothing visible is cut off then. The result has one entry for each name, and a
 * bound: the content may have such attributes, too.
 */
const FIND = `Object.values(Object.fromEntries(Array.from(document.querySelectorAll('[data-trifold-decoration]'), (box) => {
  const { top, height } = box.getBoundingClientRect();
  const content = document.createRange();
  content.selectNodeContents(box);
  const needed = content.getBoundingClientRect().bottom - top;
  return { name: box.dataset.trifoldDecoration.slice(0, 20), needed, height };
}).filter(({ needed, height }) => needed > height + 1).map((each) => [each.name, each]))).slice(0, ${DECORATION_NAMES.length})`;

/** Returns the headers and footers on the sheets of `decorationSheets` that are cut off. */
export async function highDecorations(session: CDPSession, frameId: string): Promise<HighDecoration[]> {
  return measured(session, frameId, FIND);
}
