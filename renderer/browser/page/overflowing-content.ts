import { MAX_FOUND_WARNINGS } from '@trifold/crds';
import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';

/** The element that extends furthest beyond the right edge of the page. */
export interface WidestElement {
  /** Selector such as `table.lines`, which other elements may also match. */
  readonly name: string;
  /** Start tag as Chromium serializes it. */
  readonly tag: string;
  /** Its right edge, in CSS pixels. */
  readonly right: number;
}

/** A box whose text is cut off. */
export interface CutContent extends Pick<WidestElement, 'name'>, Partial<Pick<WidestElement, 'tag'>> {
  readonly side: 'width' | 'height';
  /** Size of the content and of the box, in CSS pixels. */
  readonly needed: number;
  readonly size: number;
}

/** Content that does not fit on a page, or in the author's boxes whose `overflow` cuts off text. */
export interface OverflowingContent {
  readonly widest?: WidestElement;
  readonly cut: readonly CutContent[];
}

/** Limits of the search: number of elements and milliseconds. */
const MAX_ELEMENTS = 20_000;
const MAX_MS = 1000;

/**
 * Text that the author truncates (with an ellipsis, or to a number of lines) or hides (in a one-pixel box) does not
 * count as cut off. Fonts with tall letters may exceed their line by a quarter. Elements with the same name count once.
 */
const FIND = `(() => {
  const cut = new Map();
  const end = performance.now() + ${MAX_MS};
  let widest, rest = ${MAX_ELEMENTS}, right = clientWidth(root) + 1;
  const range = createRange();

  const note = (element, sides) => {
    const found = { ...named(element), ...sides };
    cut.set(found.name, found);
  };

  const cutsText = (element, isBeyond) => {
    const walker = createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && performance.now() < end) {
      const text = walker.currentNode, parent = parentElement(text);
      if (text.data.trim() === '' || !checkVisibility(parent, { visibilityProperty: true })) continue;
      range.selectNodeContents(text);
      if (isBeyond(range.getBoundingClientRect(), parseFloat(getComputedStyle(parent).fontSize))) return true;
    }
    return false;
  };

  for (const element of querySelectorAll('body *')) {
    if (rest-- === 0 || performance.now() > end) break;
    const box = getBoundingClientRect(element);
    if (box.height > 0 && box.right > right) [widest, right] = [element, box.right];
    const [width, height] = [clientWidth(element), clientHeight(element)];
    const [neededWidth, neededHeight] = [scrollWidth(element), scrollHeight(element)];
    const isHigh = neededHeight > height + 1, isWide = neededWidth > width + 1;
    if ((!isHigh && !isWide) || width < 2 || height < 2 || cut.size === ${MAX_FOUND_WARNINGS}) continue;
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
    if (webkitLineClamp !== 'none') continue;
    if (isHigh && overflowY !== 'visible' && cutsText(element, ({ bottom }, em) => bottom > box.bottom + em / 4))
      note(element, { side: 'height', needed: neededHeight, size: height });
    else if (isWide && overflowX !== 'visible' && textOverflow !== 'ellipsis' && cutsText(element, (text) => text.right > box.right + 1))
      note(element, { side: 'width', needed: neededWidth, size: width });
  }
  return { widest: widest && { ...named(widest), right }, cut: [...cut.values()] };
})()`;

/** Returns the content that does not fit on a page or in boxes in the current layout. */
export async function overflowingContent(session: CDPSession, frameId: string): Promise<OverflowingContent> {
  return (await measured<OverflowingContent>(session, frameId, FIND)) ?? { cut: [] };
}
