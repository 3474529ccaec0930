import { htmlLanguage } from '@codemirror/lang-html';
import type { SyntaxNode, Tree } from '@lezer/common';
import { maskExpressions, type BlockMark } from './mask-expressions.ts';

/** End position and name of a block. */
interface BlockEnd {
  readonly name: string;
  readonly at: number;
}

/**
 * Returns the position at which to close the block that begins at an offset: at the end of the element that it begins
 * in, or of its line if no element encloses it closely, but never across another block. Undefined if the block is
 * closed, or if no block begins there.
 */
export function missingBlockEnd(html: string, offset: number): BlockEnd | undefined {
  const { masked, marks } = maskExpressions(html);
  const [opener, ...behind] = marks.filter(({ from }) => from >= offset);
  if (opener?.from !== offset || opener.kind !== 'block') return undefined;
  const { nested, lastElse, outerEnd } = blocksBehind(behind);
  if (outerEnd?.name === opener.name) return undefined;
  const tree = htmlLanguage.parser.parse(masked);
  const begin = lastElse ?? opener;
  const end = endOfElement(tree, html, begin.from) ?? endOfLine({ tree, html, masked, nested }, begin);
  return { name: opener.name, at: Math.min(end, outerEnd?.from ?? html.length) };
}

interface BlocksBehind {
  /** Complete nested blocks. */
  readonly nested: { readonly from: number; readonly to: number }[];
  /** The last `else` outside the nested blocks. */
  lastElse?: BlockMark;
  /** End tag of another block. */
  outerEnd?: BlockMark;
}

/** Reads the tags after the start of a block, up to an end tag that closes none of them. */
function blocksBehind(marks: readonly BlockMark[]): BlocksBehind {
  const found: BlocksBehind = { nested: [] };
  const open: BlockMark[] = [];
  for (const mark of marks) {
    if (mark.kind === 'block') open.push(mark);
    else if (mark.kind === 'else') {
      if (open.length === 0) found.lastElse = mark;
    } else {
      const begin = open.pop();
      if (!begin) return { ...found, outerEnd: mark };
      found.nested.push({ from: begin.from, to: mark.to });
    }
  }
  return found;
}

/** Elements that contain a whole page or style sheet: a block in them ends with its line. */
const WHOLE = ['html', 'head', 'body', 'style', 'script'];
/** Elements whose end tag may be omitted. */
const IMPLIED = ['p', 'li', 'dt', 'dd', 'td', 'th', 'tr', 'thead', 'tbody', 'tfoot'];

/** Returns the end of the content of the element, the tag or the attribute value at an offset. */
function endOfElement(tree: Tree, html: string, offset: number): number | undefined {
  let node: SyntaxNode | null = tree.resolveInner(offset, 1);
  for (; node; node = node.parent) {
    if (WHOLE.includes(tagOf(node, html))) return undefined;
    const end = contentEnd(node, html);
    if (end !== undefined) return end;
  }
  return undefined;
}

function contentEnd(node: SyntaxNode, html: string): number | undefined {
  const { name, to } = node;
  if (name === 'AttributeValue') return /["']/.test(html.charAt(to - 1)) ? to - 1 : to;
  if (name === 'OpenTag' || name === 'SelfClosingTag') return node.lastChild?.from;
  const end = name === 'Element' ? node.getChild('CloseTag') : null;
  if (end) return end.from;
  return IMPLIED.includes(tagOf(node, html)) ? html.slice(0, to).trimEnd().length : undefined;
}

function tagOf(node: SyntaxNode, html: string): string {
  const tag = node.name === 'Element' ? node.firstChild?.getChild('TagName') : null;
  return tag ? html.slice(tag.from, tag.to).toLowerCase() : '';
}

interface Page extends Pick<BlocksBehind, 'nested'> {
  readonly tree: Tree;
  readonly html: string;
  readonly masked: string;
}

/** Returns the end of a tag's line, or of the elements and blocks that begin on the line and end below. */
function endOfLine({ tree, html, masked, nested }: Page, { from, to }: BlockMark): number {
  const elements: { from: number; to: number }[] = [];
  tree.iterate({
    from,
    enter: ({ node }) => {
      if (node.name === 'Element' && node.from >= from && node.getChild('CloseTag')) elements.push(node);
    },
  });
  const line = /^[^\n]*/.exec(masked.slice(to))?.[0] ?? '';
  let at = to + html.slice(to, to + line.length).trimEnd().length;
  for (const inner of [...elements, ...nested].sort((one, other) => one.from - other.from)) {
    if (inner.from < at) at = Math.max(at, inner.to);
  }
  return at;
}
