import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';
import type { WidestElement } from './overflowing-content.ts';

/** An element that begins on the first page but is printed on the second, because it must not be split. */
export type PushedBlock = Pick<WidestElement, 'name' | 'tag'>;

/** Maximum number of elements to search: everything before the block is empty. */
const MAX_ELEMENTS = 1000;

/** A forced break before the first content is intentional. */
const FIND = `(() => {
  const forced = /^(?:always|all|page|left|right|recto|verso)$/;
  const replaced = /^(?:img|svg|canvas|video|object|embed|iframe|input|button|select|textarea)$/;
  const isBlock = (element, style) =>
    /avoid/.test(style.breakInside) || replaced.test(localName(element)) || /^(?:inline-\\w+|table-row)$/.test(style.display) ||
    /auto|scroll/.test(style.overflowY);
  const shows = (element, style) => {
    if (replaced.test(localName(element)) || style.backgroundImage !== 'none' || !/, 0\\)$/.test(style.backgroundColor)) return true;
    if (['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(style['border' + side + 'Width']) > 0)) return true;
    for (let child = firstChild(element); child; child = nextSibling(child))
      if (child instanceof Text && child.data.trim() !== '') return true;
    return false;
  };
  let rest = ${MAX_ELEMENTS};
  for (const element of querySelectorAll('body *')) {
    if (rest-- === 0) return;
    const style = getComputedStyle(element);
    if (forced.test(style.breakBefore)) return;
    const { top, width, height } = getBoundingClientRect(element);
    const isShown = checkVisibility(element, { visibilityProperty: true }) && width > 0 && height > 0 && shows(element, style);
    if (!isShown) {
      if (forced.test(style.breakAfter)) return;
      continue;
    }
    if (top > innerHeight) return;
    let block;
    for (let at = element; at && localName(at) !== 'body'; at = parentElement(at)) if (isBlock(at, getComputedStyle(at))) block = at;
    return block && named(block);
  }
})()`;

/** Returns the block that left the first page empty, in the current layout; undefined if no block did. */
export async function pushedBlock(session: CDPSession, frameId: string): Promise<PushedBlock | undefined> {
  return measured<PushedBlock | undefined>(session, frameId, FIND);
}
