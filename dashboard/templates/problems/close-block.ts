import { htmlLanguage } from '@codemirror/lang-html';

/** The bound keeps the search linear. */
const BLOCK = /\{\{~?([#^/])[>*]?\s*([^\s~}]{1,200})[^}]{0,500}\}\}/g;

/**
 * Returns where to close the block that begins at an offset: before the end of the enclosing block or element, or else
 * at the end of the text. Undefined if the block is closed, or if no block begins there.
 */
export function missingBlockEnd(
  html: string,
  offset: number,
): { readonly name: string; readonly at: number } | undefined {
  const blocks = html.slice(offset).matchAll(BLOCK);
  const { value: opener } = blocks.next();
  if (opener?.index !== 0 || opener[1] === '/') return undefined;
  const name = opener[2] ?? '';
  const outer = endOfOuterBlock(blocks, name);
  if (outer === 'closed') return undefined;
  const at = Math.min(outer === undefined ? html.length : offset + outer, endOfElement(html, offset));
  return { name, at };
}

/** Returns the offset of another block's end tag; undefined without one. */
function endOfOuterBlock(blocks: Iterable<RegExpMatchArray>, name: string): number | 'closed' | undefined {
  let depth = 0;
  for (const { 1: sign, 2: other, index } of blocks) {
    if (sign !== '/') depth += 1;
    else if (depth > 0) depth -= 1;
    else return other === name ? 'closed' : index;
  }
  return undefined;
}

/** Returns the end of the content of the element at an offset. */
function endOfElement(html: string, offset: number): number {
  let node = htmlLanguage.parser.parse(html).resolveInner(offset, 1).parent;
  for (; node; node = node.parent) {
    const end = node.name === 'Element' ? node.getChild('CloseTag') : null;
    if (end) return end.from;
  }
  return html.length;
}
