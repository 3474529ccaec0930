import { MAX_FOUND_WARNINGS } from '@trifold/crds';
import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';
import { SKIPPED } from './skipped-content.ts';

/** A link as a screen reader announces it. */
export interface NamedLink {
  /** Absolute URL, or `#` and the ID of the target. */
  readonly url: string;
  /** Empty if the link has neither text nor a label. */
  readonly text: string;
}

/**
 * A fault that makes an element less accessible. Screen readers skip content with the faults `drawing`, `filtered`,
 * `frame` and `generated`. A `describedDrawing` is accessible if the file has a figure with its description.
 */
export type AccessibilityFault =
  | 'image'
  | 'drawing'
  | 'describedDrawing'
  | 'filtered'
  | 'frame'
  | 'generated'
  | 'heading'
  | 'hiddenLink'
  | 'table';

/** An element that makes a tagged document less accessible. */
export interface InaccessibleElement {
  readonly fault: AccessibilityFault;
  /** Description of the drawing. */
  readonly description?: string;
  /** Number of elements with this description and start tag. */
  readonly count: number;
  /** Selector such as `img.logo`, which other elements may also match. */
  readonly name: string;
  /** Start tag as Chromium serializes it, first with the start of the text after it. */
  readonly literals: readonly string[];
}

/** A table cell. */
export interface CellShape {
  readonly isHeader: boolean;
  readonly columns: number;
  /** Number of rows that it covers in its row group. */
  readonly rows: number;
  /** Its `rowspan`, which may exceed `rows`; 0 for all remaining rows of the group. */
  readonly rowSpan: number;
  /** Content of the cell: 2 for text, 1 for something that may be decoration, 0 for nothing. */
  readonly content: 0 | 1 | 2;
}

/** A table, including its empty cells. */
export interface TableShape extends Pick<InaccessibleElement, 'name' | 'literals'> {
  readonly rows: readonly (readonly CellShape[])[];
}

/** What screen readers say about a document. */
export interface AccessibleContent {
  /**
   * `lang` attribute of the root element, not the body: if the root has none, the browser uses its own language for the
   * structure.
   */
  readonly language?: string;
  readonly links: readonly NamedLink[];
  readonly problems: readonly InaccessibleElement[];
  readonly tables: readonly TableShape[];
}

/** Maximum number of links, and of other elements, to inspect. */
const MAX_ELEMENTS = 20_000;
/** Maximum length of a link's text. */
const MAX_TEXT = 500;
/** Length of the text that distinguishes an element from others with the same start tag. */
const START = 40;

const HIDDEN = '[aria-hidden=true], [aria-hidden=true] *, [role=none], [role=presentation]';
const IMAGES = `:is(img, input[type=image]):not(${HIDDEN}, [alt], [aria-label], [aria-labelledby], [title])`;
/** Links without a structure element: those that screen readers must skip, and parts of an image. */
const WITHIN_HIDDEN =
  ':is([aria-hidden=true], [aria-hidden=true] *, [inert], [inert] *, [role=img] *, [role=image] *)';
const HEADINGS = `:is(h1, h2, h3, h4, h5, h6, [role=heading]):not(${HIDDEN})`;
/**
 * Tables that have one column or contain other tables only arrange content, as do those in which `find` sees no lines.
 */
const TABLES = `table:has(td + td):not(${HIDDEN}, :has(th, table, [role=columnheader], [role=rowheader]))`;

const find = (withTables: boolean) => `(() => {
  ${SKIPPED}
  const problems = new Map();
  const all = (selector) => [...querySelectorAll(selector)].slice(0, ${MAX_ELEMENTS});
  const shown = (selector) => all(selector).filter(isShown);

  const textOf = (element) => {
    let text = '';
    const walker = createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode() && text.length < ${MAX_TEXT}) {
      const node = walker.currentNode;
      text += node instanceof Text ? node.data : attribute(node, 'alt') || (localName(node) !== 'br' && /^inline/.test(getComputedStyle(node).display) ? '' : ' ');
    }
    return text.replace(/\\s+/g, ' ').trim().slice(0, ${MAX_TEXT});
  };
  const link = (element) => {
    const href = getAttribute(element, 'href') ?? getAttribute(element, 'xlink:href');
    const url = href.startsWith('#') ? href : URL.parse(href, baseUri)?.href ?? href;
    return { url, text: attribute(element, 'aria-label') || textOf(element) || attribute(element, 'title') };
  };

  const described = (element) => {
    const { name, tag } = named(element);
    const first = firstChild(element);
    return { name, literals: [tag + (first instanceof Text ? first.data.slice(0, ${START}) : ''), tag] };
  };
  const note = (fault, element, description) => {
    const { name, literals } = described(element);
    const limit = fault === 'describedDrawing' ? ${MAX_ELEMENTS} : ${MAX_FOUND_WARNINGS};
    const key = fault + description + literals[0];
    const count = (problems.get(key)?.count ?? 0) + 1;
    if (count > 1 || problems.size < limit) problems.set(key, { fault, name, literals, description, count });
  };
  const drawings = skipped();
  for (const each of drawings.lost) note(...each);
  for (const element of shown('${IMAGES}')) note('image', element);

  let before = 0;
  for (const element of shown('${HEADINGS}')) {
    const level = Number(getAttribute(element, 'aria-level') ?? /^h(\\d)$/.exec(localName(element))?.[1] ?? 2);
    if (level > before + 1) note('heading', element);
    before = level;
  }

  const hasLines = (cell) => {
    const style = getComputedStyle(cell);
    return ['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(style['border' + side + 'Width']) > 0);
  };
  const isData = (table) => elementsIn(table, 'caption, thead').length > 0 || [...elementsIn(table, 'td')].some(hasLines);
  for (const element of shown('${TABLES}')) if (isData(element)) note('table', element);
  for (const each of drawings.described) note(...each);
  const links = all('a[href], a[*|href]').filter((each) => isShown(each) || getComputedStyle(each).display === 'contents');
  for (const element of links) if (matches(element, '${WITHIN_HIDDEN}')) note('hiddenLink', element);

  const innerText = getter(HTMLElement.prototype, 'innerText');
  const [colSpan, rowSpan] = ['colSpan', 'rowSpan'].map((name) => getter(HTMLTableCellElement.prototype, name));
  const displayed = (element, selector) => [...elementsIn(element, selector)].filter((each) => checkVisibility(each));
  const cell = (element, rowsLeft) => ({
    isHeader: localName(element) === 'th',
    columns: colSpan(element),
    rows: Math.min(rowSpan(element) || rowsLeft, rowsLeft),
    rowSpan: rowSpan(element),
    content: !isShown(element) ? 0 : innerText(element).trim() !== '' ? 2 : elementsIn(element, '*').length > 0 ? 1 : 0,
  });
  const table = (element) => {
    const inTable = displayed(element, 'tr').filter((row) => closest(row, 'table') === element);
    const groups = inTable.map(parentElement);
    const ends = new Map(groups.map((group, index) => [group, index + 1]));
    const rows = inTable.map((row, index) => {
      const rowsLeft = ends.get(groups[index]) - index;
      const cells = displayed(row, 'td, th').filter((each) => each instanceof HTMLTableCellElement && closest(each, 'tr') === row);
      return cells.map((each) => cell(each, rowsLeft));
    });
    return { ...described(element), rows };
  };

  return {
    language: attribute(root, 'lang'),
    links: links.filter((each) => !matches(each, '${WITHIN_HIDDEN}')).map(link),
    problems: [...problems.values()],
    tables: ${withTables} ? shown('table').map(table) : [],
  };
})()`;

const NOTHING: AccessibleContent = { links: [], problems: [], tables: [] };

/** Returns the current document's links and tables, and what makes it less accessible. */
export async function accessibleContent(
  session: CDPSession,
  frameId: string,
  withTables: boolean,
): Promise<AccessibleContent> {
  return (await measured<AccessibleContent>(session, frameId, find(withTables))) ?? NOTHING;
}
