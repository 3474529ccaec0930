import type { DecorationName } from '@trifold/platform/templating/decorations.ts';
import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';
import type { CutContent } from './overflowing-content.ts';

/** A header or footer that is taller than its space. */
export interface HighDecoration extends CutContent {
  readonly name: DecorationName;
}

/**
 * The selector does not match any element in the content, even one with the same attribute. Ignores the content's
 * margins: cutting them off hides nothing visible.
 */
const FIND = `Array.from(querySelectorAll('body > trifold-sheet > [data-trifold-decoration]'), (box) => {
  const { top, height: size } = getBoundingClientRect(box);
  const content = createRange();
  content.selectNodeContents(box);
  const needed = content.getBoundingClientRect().bottom - top;
  return { name: getAttribute(box, 'data-trifold-decoration'), side: 'height', needed, size };
}).filter(({ needed, size }) => needed > size + 1)`;

/** Returns the headers and footers on the sheets of `decorationSheets` that are cut off. */
export async function highDecorations(session: CDPSession, frameId: string): Promise<HighDecoration[]> {
  return (await measured<HighDecoration[]>(session, frameId, FIND)) ?? [];
}
