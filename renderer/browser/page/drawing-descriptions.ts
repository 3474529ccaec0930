import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';
import { DRAWINGS, LINKED, SHAPES, SKIPPED } from './skipped-content.ts';

/** Other documents have no drawing except images. */
const MAY_DRAW = /<(?:svg|canvas|embed|iframe|meter|object|progress|select|video)\b|\brole\s*=/i;

/** Keeps the changes in the isolated world until they are undone. Returns whether it changed anything. */
const DESCRIBE = `(() => {
  ${SKIPPED}
  const removeAttribute = method(Element.prototype, 'removeAttribute');
  const styleOf = (element) => getter(element instanceof SVGElement ? SVGElement.prototype : HTMLElement.prototype, 'style')(element);
  const changed = [];
  const describe = (element, description) => {
    for (const name of ['role', 'aria-label', 'aria-labelledby', 'style']) changed.push([element, name, getAttribute(element, name)]);
    setAttribute(element, 'role', 'img');
    setAttribute(element, 'aria-label', description);
    removeAttribute(element, 'aria-labelledby');
    if (getComputedStyle(element).outlineStyle !== 'none') return;
    styleOf(element).setProperty('outline', '1px solid rgb(0 0 0 / 0.001)', 'important');
    styleOf(element).setProperty('outline-offset', '-1px', 'important');
  };
  globalThis.restoreDrawings = () => {
    // The world outlives the document, and would keep its elements.
    delete globalThis.restoreDrawings;
    for (const [element, name, value] of changed) {
      // The browser keeps an empty style attribute that is removed before it is written.
      setAttribute(element, name, value ?? '');
      if (value === null) removeAttribute(element, name);
    }
  };
  const drawings = [...querySelectorAll('${DRAWINGS}')].filter(isDrawn);
  for (const [element, description] of drawings.map((each) => [each, descriptionOf(each)])) {
    const target = matches(element, '${LINKED}') ? [...elementsIn(element, '${SHAPES}')].find(isDrawn) : element;
    if (description && target) describe(target, description);
  }
  return changed.length > 0;
})()`;

/**
 * Prints while each drawing with a description has an invisible outline. In a tagged file, the browser writes
 * a figure only for an element that draws something itself, which an SVG does not. Afterwards, the document's start
 * tags are restored.
 */
export async function withDescribedDrawings(
  session: CDPSession,
  frameId: string,
  html: string,
  print: () => Promise<Buffer>,
): Promise<Buffer> {
  const isChanged = MAY_DRAW.test(html) && (await measured<boolean>(session, frameId, DESCRIBE));
  const pdf = await print();
  if (isChanged) await measured(session, frameId, 'globalThis.restoreDrawings?.()');
  return pdf;
}
