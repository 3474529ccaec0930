const HIDDEN = '[aria-hidden=true], [aria-hidden=true] *, [role=none], [role=presentation]';
const ROLE = ':is([role=img], [role=image])';
export const DRAWINGS = `:is(svg, ${ROLE}):not(img, input, ${HIDDEN}, svg *, ${ROLE} *)`;
export const SHAPES =
  ':is(path, rect, circle, ellipse, line, polyline, polygon, image, use):not(:is(defs, symbol, clipPath, mask, pattern, marker) *)';
/** Maximum length of a drawing's description. */
const MAX_DESCRIPTION = 2000;
/** Elements that a screen reader announces although they contain no text. */
const ANNOUNCED = `img[alt]:not([alt=""]), ${ROLE}, svg:has(> title), input:not([type=hidden]), select, textarea`;

/**
 * Declares `skipped`, a function of the page that returns what screen readers skip: inline drawings, and content with a
 * CSS filter, as lists of a fault, an element and its description. The browser marks neither shapes without a
 * description, nor what is inside an element with the role of an image, nor the image that it makes of content with a
 * filter.
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

  const hasRole = (element) => matches(element, '${ROLE}');
  const textContent = getter(Node.prototype, 'textContent');
  const elementById = method(Document.prototype, 'getElementById').bind(undefined, document);
  const textOfAll = (elements) => elements.map((element) => element ? textContent(element) : '').join(' ').replace(/\\s+/g, ' ').trim();
  const descriptionOf = (element) => {
    const description =
      textOfAll(attribute(element, 'aria-labelledby').split(/\\s+/).map(elementById)) ||
      attribute(element, 'aria-label') ||
      textOfAll([...elementsIn(element, ':scope > title')]) ||
      attribute(element, 'title');
    return description.slice(0, ${MAX_DESCRIPTION}).trim();
  };
  const isDrawn = (element) => {
    const { width, height } = getBoundingClientRect(element);
    return isShown(element) && width + height > 0;
  };
  const drawing = (element) => {
    const shapes = [...elementsIn(element, '${SHAPES}')];
    const description = descriptionOf(element);
    const isLost = (hasRole(element) && hasContent(element)) || shapes.some(isDrawn);
    if (localName(element) !== 'svg') return [isLost || description ? 'lostDrawing' : 'drawing', element];
    if (!isLost && (description || !hasRole(element))) return [];
    if (!description) return ['drawing', element];
    const isDescribed = shapes.some((shape) => hasRole(shape) && attribute(shape, 'aria-label') === description);
    return [isDescribed ? 'describedDrawing' : 'lostDrawing', element, description];
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
    const drawings = [...querySelectorAll('${DRAWINGS}')].filter(isDrawn).map(drawing);
    const of = (fault) => drawings.filter(([each]) => each === fault);
    return { lost: [...filtered(), ...of('lostDrawing'), ...of('drawing')], described: of('describedDrawing') };
  };
`;
