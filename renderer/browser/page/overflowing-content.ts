import { MAX_FOUND_WARNINGS } from '@trifold/crds';
import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';

/** The element that extends furthest beyond the page: to the right, or to the left on a right-to-left page. */
export interface WidestElement {
  /** Selector such as `table.lines`, which other elements may also match. */
  readonly name: string;
  /** Start tag as Chromium serializes it. */
  readonly tag: string;
  /** Distance from the page's starting edge to the element's end, in CSS pixels. */
  readonly end: number;
  /** Whether the page is right-to-left: the browser does not shrink it, and cuts off what does not fit. */
  readonly isRtl: boolean;
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
 * The browser shrinks pages to fit the page's `scrollWidth`, so a box cuts off anything that extends further. An
 * element whose box fits can have content that does not; only its `scrollWidth` includes the content.
 *
 * Text that the author truncates (with an ellipsis, or to a number of lines) or hides (in a one-pixel box) does not
 * count as cut off. The page does not grow for fixed boxes, so it cuts off their text. Fonts with tall letters may
 * exceed their line by a quarter. Elements with the same name are reported once.
 */
const FIND = `(() => {
  const cut = new Map();
  const deadline = performance.now() + ${MAX_MS};
  const page = scrollingElement ?? root;
  const [pageWidth, neededPage] = [clientWidth(page), scrollWidth(page)];
  const [body = root] = querySelectorAll('body');
  const isRtl = (element) => getComputedStyle(element).direction === 'rtl';
  const pageIsRtl = isRtl(body);
  let widest, container, rest = ${MAX_ELEMENTS}, end = pageWidth + 1, contentEnd = end;
  const range = createRange();

  const widen = (element, box, neededWidth, overflowsVisibly) => {
    const [start, boxEnd] = pageIsRtl ? [pageWidth - box.right, pageWidth - box.left] : [box.left, box.right];
    if (box.height > 0 && boxEnd > end && boxEnd <= neededPage + 1) [widest, end] = [element, boxEnd];
    const reach = start + neededWidth;
    // The last one is the innermost.
    if (neededWidth > 0 && reach >= contentEnd && reach <= neededPage + 1 && overflowsVisibly()) [container, contentEnd] = [element, reach];
  };

  const note = (element, sides) => {
    const found = { ...named(element), ...sides };
    cut.set(found.name, found);
  };

  const cutsText = (element, isBeyond) => {
    const walker = createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && performance.now() < deadline) {
      const text = walker.currentNode, parent = parentElement(text);
      if (text.data.trim() === '' || !checkVisibility(parent, { visibilityProperty: true })) continue;
      range.selectNodeContents(text);
      if (isBeyond(range.getBoundingClientRect(), parseFloat(getComputedStyle(parent).fontSize))) return true;
    }
    return false;
  };

  const leavesPage = ({ left, right }) => right > pageWidth + 1 || (left < -1 && right > 0);

  for (const element of querySelectorAll('body *')) {
    if (rest-- === 0 || performance.now() > deadline) break;
    const box = getBoundingClientRect(element);
    const [width, height] = [clientWidth(element), clientHeight(element)];
    const [neededWidth, neededHeight] = [scrollWidth(element), scrollHeight(element)];
    const isHigh = neededHeight > height + 1, isWide = neededWidth > width + 1;
    if (neededPage > pageWidth + 1)
      widen(element, box, isWide ? neededWidth : 0, () => getComputedStyle(element).overflowX === 'visible' && isRtl(element) === pageIsRtl);
    const isOnPage = box.left < pageWidth && box.right > 0;
    if (isOnPage && (isWide || leavesPage(box)) && getComputedStyle(element).position === 'fixed' && cutsText(element, leavesPage)) {
      note(element, { side: 'width', needed: Math.max(neededWidth, box.width), size: Math.min(pageWidth, pageIsRtl ? box.right : pageWidth - box.left) });
      continue;
    }
    if ((!isHigh && !isWide) || width < 2 || height < 2 || cut.size === ${MAX_FOUND_WARNINGS}) continue;
    const { overflowX, overflowY, textOverflow, webkitLineClamp, direction } = getComputedStyle(element);
    if (webkitLineClamp !== 'none') continue;
    const isBeyond = ({ left, right }) => (direction === 'rtl' ? left < box.left - 1 : right > box.right + 1);
    if (isHigh && overflowY !== 'visible' && cutsText(element, ({ bottom }, em) => bottom > box.bottom + em / 4))
      note(element, { side: 'height', needed: neededHeight, size: height });
    else if (isWide && overflowX !== 'visible' && textOverflow !== 'ellipsis' && cutsText(element, isBeyond))
      note(element, { side: 'width', needed: neededWidth, size: width });
  }
  if (container && contentEnd > end + 1) [widest, end] = [container, contentEnd];
  if (!widest && neededPage > pageWidth + 1) [widest, end] = [body, neededPage];
  return { widest: widest && { ...named(widest), end, isRtl: pageIsRtl }, cut: [...cut.values()] };
})()`;

/** Returns the content that does not fit on a page or in boxes in the current layout. */
export async function overflowingContent(session: CDPSession, frameId: string): Promise<OverflowingContent> {
  return (await measured<OverflowingContent>(session, frameId, FIND)) ?? { cut: [] };
}
