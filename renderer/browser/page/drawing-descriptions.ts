import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';
import { DRAWINGS, SHAPES, SKIPPED } from './skipped-content.ts';

/** Other documents have no inline drawing. */
const MAY_DRAW = /<svg\b/i;

const DESCRIBE = `(() => {
  ${SKIPPED}
  const [removeAttribute] = ['removeAttribute'].map((name) => method(Element.prototype, name));
  const isPainted = (shape, svg) => {
    const { fill, stroke } = getComputedStyle(shape);
    if (!isDrawn(shape) || (fill === 'none' && stroke === 'none' && localName(shape) !== 'image')) return false;
    const [inner, outer] = [getBoundingClientRect(shape), getBoundingClientRect(svg)];
    return inner.left <= outer.right && outer.left <= inner.right && inner.top <= outer.bottom && outer.top <= inner.bottom;
  };
  for (const svg of querySelectorAll('svg:is(${DRAWINGS})')) {
    const description = descriptionOf(svg);
    const shape = description && [...elementsIn(svg, '${SHAPES}')].find((each) => localName(each) !== 'use' && isPainted(each, svg));
    if (!shape) continue;
    if (hasRole(svg)) for (const text of elementsIn(svg, 'text')) setAttribute(text, 'aria-hidden', 'true');
    removeAttribute(svg, 'role');
    setAttribute(shape, 'role', 'img');
    setAttribute(shape, 'aria-label', description);
  }
})()`;

/**
 * Gives the description of each inline SVG to one of its shapes. In a tagged file, the browser writes a figure for a
 * shape with a description, but none for an SVG, because it marks only what each element draws itself.
 */
export async function describeDrawings(session: CDPSession, frameId: string, html: string): Promise<void> {
  if (MAY_DRAW.test(html)) await measured(session, frameId, DESCRIBE);
}
