const HIDDEN = '[aria-hidden=true], [aria-hidden=true] *, [role=none], [role=presentation]';
const ROLE = ':is([role=img], [role=image])';
/** Elements whose content the browser draws itself. */
const DRAWN = 'canvas, embed, iframe, meter, object, progress, select, video';
export const DRAWINGS = `:is(svg, ${DRAWN}, ${ROLE}):not(img, input, ${HIDDEN}, svg *, ${ROLE} *)`;
export const SHAPES = `:is(path, rect, circle, ellipse, line, polyline, polygon, image, use):not(:is(defs, symbol, clipPath, mask, pattern, marker) *, ${ROLE}[aria-label])`;
/** SVGs that the browser must not treat as one image, because it would drop their links. */
export const LINKED = `svg:has(a):not(${ROLE})`;
/** Frames that show a document, wherever the template may load resources from. */
const FRAMES = ':is(iframe[srcdoc]:not([srcdoc=""]), iframe[src^="data:"])';
/** Maximum length of a drawing's description. */
const MAX_DESCRIPTION = 2000;
/** Elements that a screen reader announces although they contain no text. */
const ANNOUNCED = `img[alt]:not([alt=""]), ${ROLE}, svg:has(> title), input:not([type=hidden]), select, textarea`;

/**
 * Declares `skipped`, a page function that returns what screen readers may skip, as triples of a fault, an element and
 * its description: drawings, frames, content with a CSS filter, and style sheet text. The browser marks only what an
 * element draws itself: neither the shapes of an SVG, nor the image that it creates from content with a filter.
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

  const textContent = getter(Node.prototype, 'textContent');
  const elementById = method(Document.prototype, 'getElementById').bind(undefined, document);
  const textOfAll = (elements) => elements.map((element) => element ? textContent(element) : '').join(' ').replace(/\\s+/g, ' ').trim();
  const contentOf = (element) => {
    if (matches(element, '${ROLE}')) return [];
    if (localName(element) === 'svg') return elementsIn(element, 'text');
    return elementsIn(element, matches(element, '[multiple], [size]') ? 'option' : 'option:checked');
  };
  const descriptionOf = (element) => {
    const description =
      textOfAll(attribute(element, 'aria-labelledby').split(/\\s+/).map(elementById)) ||
      attribute(element, 'aria-label') ||
      textOfAll([...elementsIn(element, ':scope > title')]) ||
      attribute(element, 'title');
    const isRead = localName(element) === 'select' || (description && localName(element) === 'svg');
    const content = isRead ? textOfAll([...contentOf(element)]) : '';
    return [description, content].filter(Boolean).join(' ').slice(0, ${MAX_DESCRIPTION}).trim();
  };
  const principal = [root, ...querySelectorAll('body')].map((each) => getComputedStyle(each));
  const isHorizontal = principal.every(({ writingMode }) => writingMode === 'horizontal-tb');
  const isLeftToRight = principal.every(({ direction }) => direction === 'ltr');
  // The browser shrinks a right-to-left document to fit content on its left. The document may be scrolled.
  const isOffPage = (element) => {
    const { right, bottom } = getBoundingClientRect(element);
    return isHorizontal && ((isLeftToRight && right + scrollX < 0) || bottom + scrollY < 0);
  };
  const isDrawn = (element) => {
    const { width, height } = getBoundingClientRect(element);
    return isShown(element) && width + height > 0 && !isOffPage(element);
  };
  const drawing = (element) => {
    const description = descriptionOf(element);
    if (description) return ['describedDrawing', element, description];
    if (matches(element, '${FRAMES}')) return ['frame', element];
    const isLost = !matches(element, 'svg:not(${ROLE})') || [...elementsIn(element, '${SHAPES}')].some(isDrawn);
    return isLost ? ['drawing', element] : [];
  };

  const isImage = (element) => {
    const { filter, webkitBoxReflect, transform } = getComputedStyle(element);
    const effects = filter.replace(/url\\("#([^"]*)"\\)/g, (url, target) => (elementById(target) ? url : '')).trim();
    if ((effects !== 'none' && effects !== '') || webkitBoxReflect !== 'none') return true;
    if (!transform.startsWith('matrix3d')) return false;
    const { m14, m24 } = new DOMMatrix(transform);
    const parent = parentElement(element);
    return m14 !== 0 || m24 !== 0 || (parent && getComputedStyle(parent).perspective !== 'none');
  };
  const filtered = () => {
    const found = [];
    let last;
    for (const element of querySelectorAll('*')) {
      if ((last && contains(last, element)) || !isImage(element)) continue;
      last = element;
      if (isOffPage(element)) continue;
      const isContent = isAnnounced(element) && isShown(element) && !closest(element, '[aria-hidden=true]');
      if (isContent || hasContent(element)) found.push(['filtered', element]);
    }
    return found;
  };

  const isText = (element, pseudo) => {
    const { content } = getComputedStyle(element, pseudo);
    const parts = content.match(/"(?:[^"\\\\]|\\\\.)*"|counters?\\(/g) ?? [];
    return !content.endsWith('/ ""') && parts.some((part) => /^counter|[\\p{L}\\p{N}]/u.test(part));
  };
  const mayGenerate = () => querySelectorAll('link[rel~=stylesheet]').length > 0 || [...querySelectorAll('style')].some((style) => /:(?:before|after)\\b/i.test(textContent(style)));
  const generated = () => {
    if (!mayGenerate()) return [];
    const found = [...querySelectorAll('body :not(${HIDDEN}, ${ROLE})')].filter((element) => ['::before', '::after'].some((pseudo) => isText(element, pseudo)));
    return found.filter(isShown).map((element) => ['generated', element]);
  };

  const skipped = () => {
    const drawings = [...querySelectorAll('${DRAWINGS}')].filter(isDrawn).map(drawing);
    const of = (fault) => drawings.filter(([each]) => each === fault);
    return { lost: [...filtered(), ...of('frame'), ...of('drawing'), ...generated()], described: of('describedDrawing') };
  };
`;
