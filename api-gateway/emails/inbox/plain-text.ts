import { compile, type Formatter, type HtmlNode } from 'html-to-text';
import { isMergeTag } from './merge-tags.ts';
import { tableText } from './text-table.ts';

/** Elements that start a line, in addition to the ones that html-to-text handles. */
const LINES = [
  'address',
  'caption',
  'center',
  'dd',
  'details',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'legend',
  'li',
  'summary',
];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** Elements that inboxes do not show as text, and hidden elements: the CSS is already inlined. */
const SKIPPED = [
  'audio',
  'iframe',
  'noembed',
  'noframes',
  'object',
  'select',
  'svg',
  'template',
  'video',
  'xmp',
  '[hidden]',
  ...['display', 'visibility', 'opacity', 'max-height'].flatMap(hiddenBy),
];
const HIDDEN = /display ?: ?none|visibility ?: ?hidden|(?:opacity|max-height) ?: ?0(?:px)?\s*(?:;|!|$)/i;

/** Returns selectors for elements that a property hides. A keyword may be followed by anything; a number may not. */
function hiddenBy(property: string): string[] {
  const names = [':', ': ', ' :', ' : '].map((colon) => property + colon);
  if (property === 'display') return names.map((name) => `[style*="${name}none"i]`);
  if (property === 'visibility') return names.map((name) => `[style*="${name}hidden"i]`);
  const values = names.flatMap((name) => [`${name}0`, `${name}0px`]);
  return values.flatMap((value) => [`[style*="${value};"i]`, `[style$="${value}"i]`]);
}

const link: Formatter = (element, walk, builder) => {
  // An email client would read two adjacent addresses as one.
  if (touchesLink(element)) builder.addInline(' ');
  let text = '';
  builder.pushWordTransform((word) => {
    text += word;
    return word;
  });
  walk(element.children ?? [], builder);
  builder.popWordTransform();
  const address = shownAddress(element.attribs?.['href'] ?? '');
  if (address === '' || bare(address) === bare(text)) return;
  builder.addInline(text === '' ? ` ${address} ` : ` (${address})`, { noWordTransform: true });
};

const image: Formatter = (element, _walk, builder) => builder.addInline(element.attribs?.['alt'] ?? '');

/** The library's formatter fails for large Roman numerals and accepts any string as a start number. */
const numberedList: Formatter = (element, walk, builder, options) => {
  const start = element.attribs?.['start'] ?? '';
  const attribs = { start: /^-?\d{1,6}$/.test(start) ? start : '1' };
  builder.options.formatters['orderedList']?.({ ...element, attribs }, walk, builder, options);
};

const table: Formatter = (element, walk, builder) => {
  const cells = rowsOf(element).map((row) => (row.name === 'caption' ? [row] : partsOf(row, ['td', 'th'])));
  builder.openTable();
  for (const row of cells) {
    builder.openTableRow();
    for (const cell of row) {
      builder.openTableCell();
      walk(cell.children ?? [], builder);
      builder.closeTableCell();
    }
    builder.closeTableRow();
  }
  builder.closeTable({
    tableToString: (rows) =>
      tableText(
        cells.map((row, index) =>
          row.map((cell, column) => ({ element: cell, text: rows[index]?.[column]?.text ?? '' })),
        ),
      ),
  });
};

const convert = compile({
  wordwrap: false,
  // Authors fill empty cells with non-breaking spaces.
  whitespaceCharacters: ' \t\r\n\f\u00a0',
  limits: { maxInputLength: undefined },
  formatters: { anchor: link, image, table, numberedList },
  selectors: [
    ...LINES.map((selector) => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'ol', format: 'numberedList' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
  ],
});

/** Returns the plain-text alternative of an email, generated from the inliner's HTML. */
export function plainTextOf(html: string): string {
  const lines = convert(html).split('\n');
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return text
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

function rowsOf(element: HtmlNode): HtmlNode[] {
  return partsOf(element, ['caption', 'thead', 'tbody', 'tfoot', 'tr']).flatMap((part) =>
    part.name === 'tr' || part.name === 'caption' ? [part] : partsOf(part, ['tr']),
  );
}

function partsOf({ children = [] }: HtmlNode, names: readonly string[]): HtmlNode[] {
  return children.filter(
    ({ name = '', attribs = {} }) => names.includes(name) && !HIDDEN.test(attribs['style'] ?? ''),
  );
}

function touchesLink(element: HtmlNode): boolean {
  let node: HtmlNode | undefined = element;
  while (node.prev === null && node.parent) node = node.parent;
  node = node.prev ?? undefined;
  while (node && node.name !== 'a') node = node.children?.at(-1);
  return node !== undefined;
}

/** The address as shown to the reader; empty for a link within the email. */
function shownAddress(href: string): string {
  const url = href.trim();
  if (/^mailto:/i.test(url)) return url.slice('mailto:'.length).replace(/\?.*/s, '');
  if (/^tel:/i.test(url)) return url.slice('tel:'.length);
  return /^https?:\/\//i.test(url) || isMergeTag(url) ? url : '';
}

function bare(address: string): string {
  return address
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}
