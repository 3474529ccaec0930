const HIDDEN = '[aria-hidden=true], [aria-hidden=true] *, [role=none], [role=presentation]';
const ROLE = ':is([role=img], [role=image])';
const DRAWINGS = `:is(svg, ${ROLE}):not(img, input, ${HIDDEN}, svg *, ${ROLE} *)`;
const SHAPES =
  ':is(path, rect, circle, ellipse, line, polyline, polygon, image, use):not(:is(defs, symbol, clipPath, mask, pattern, marker) *)';
/** Elements that a screen reader announces although they contain no text. */
const ANNOUNCED = `img[alt]:not([alt=""]), ${ROLE}, svg:has(> title), input:not([type=hidden]), select, textarea`;

/**
 * Declares `skipped`, a function of the page that returns what screen readers skip, as pairs of a fault and an element:
 * inline drawings, and content with a CSS filter. The browser marks neither the shapes of a drawing, nor what is inside
 * an element with the role of an image, nor the image that it makes of content with a filter.
 */
export const SKIPPED = `
  const attribute = (element, name) => (getAttribute(element, name) ?? '').trim();
  const matches = method(Element.prototype, 'matches');
  const contains = method(Node.prototype, 'contains');
  const isShown = (element) => checkVisibility(element, { visibilityProperty: true });

  const isAnnounced = (node) => node instanceof Text ? node.data.trim() !== '' : matches(node, '${ANNOUNCED}');
  const hasContent = (element) => {
    const walker = createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!isAnnounced(node)) continue;
      const owner = node instanceof Text ? parentElement(node) : node;
      if (owner && isShown(owner) && !closest(owner, '[aria-hidden=true]')) return true;
    }
    return false;
  };

  const isNamed = (element) => ['aria-label', 'aria-labelledby', 'title'].some((name) => attribute(element, name) !== '') || elementsIn(element, ':scope > title').length > 0;
  const isDrawn = (element) => {
    const { width, height } = getBoundingClientRect(element);
    return isShown(element) && width + height > 0;
  };
  const drawing = (element) => {
    const hasRole = matches(element, '${ROLE}');
    const isLost = (hasRole && hasContent(element)) || [...elementsIn(element, '${SHAPES}')].some(isDrawn);
    if (localName(element) !== 'svg') return isLost || isNamed(element) ? 'lostDrawing' : 'drawing';
    if (isLost && isNamed(element)) return 'lostDrawing';
    return isLost || (hasRole && !isNamed(element)) ? 'drawing' : undefined;
  };

  const filtered = () => {
    const found = [];
    let last;
    for (const element of querySelectorAll('*')) {
      if ((last && contains(last, element)) || getComputedStyle(element).filter === 'none') continue;
      last = element;
      const isContent = isAnnounced(element) && isShown(element) && !closest(element, '[aria-hidden=true]');
      if (isContent || hasContent(element)) found.push(['filtered', element]);
    }
    return found;
  };

  const skipped = () => {
    const drawings = [...querySelectorAll('${DRAWINGS}')].filter(isDrawn).map((element) => [drawing(element), element]);
    const lost = ([fault]) => fault === 'lostDrawing';
    return [...filtered(), ...drawings.filter(lost), ...drawings.filter((each) => each[0] && !lost(each))];
  };
`;
