import { htmlLanguage } from '@codemirror/lang-html';
import { IterMode } from '@lezer/common';
import { problems as messages } from '../../messages/problems.ts';
import type { TextRange } from '../code/text-position.ts';
import { maskExpressions, type BlockMark } from './mask-expressions.ts';
import { Paragraphs, type Tag } from './paragraphs.ts';

/** A problem in a string, with its location. */
export interface TextProblem extends TextRange {
  readonly name: string;
  readonly message: string;
  /** The correct name. */
  readonly suggestion?: string;
}

/** Longer templates are not checked, because that would block typing. */
const MAX_HTML_LENGTH = 300_000;

/** Elements that require an end tag. Browsers close the others automatically, and templates rely on that. */
const CLOSED: ReadonlySet<string> = new Set(
  (
    'a abbr address article aside b big blockquote button canvas caption center cite code del details dfn dialog div ' +
    'dl em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header i ins kbd label legend main map mark ' +
    'menu nav ol picture pre q s samp section select small span strike strong sub summary sup table tt u ul var'
  ).split(' '),
);

/** Elements whose end tag may be omitted. Their end tags without an element do nothing, and `</br>` breaks the line. */
const OPTIONAL: ReadonlySet<string> = new Set(
  'br caption dd dt li optgroup option td tfoot th thead tr'.split(' '),
);

/** The text between two consecutive tags of the same block. */
class Branch {
  /** Start tags without an end tag so far. */
  readonly open: Tag[] = [];
  /** End tags without a start tag. */
  readonly ends: Tag[] = [];
  readonly crossed: TextProblem[] = [];
  /** End tags of other elements, without a start tag. */
  readonly strayEnds: Tag[] = [];
  /** Names of elements that another element's end tag has closed. */
  readonly #closedEarly: string[] = [];
  /** Whether a nested block opens or closes elements of this branch. */
  isUnknown = false;
  readonly paragraphs: Paragraphs;
  /** Elements whose end tag may follow, by name. */
  readonly #optional = new Map<string, number>();

  constructor(isRoot = false) {
    this.paragraphs = new Paragraphs(isRoot);
  }

  take(tag: Tag): void {
    this.paragraphs.take(tag);
    if (OPTIONAL.has(tag.name)) this.#takeOptional(tag);
    if (!CLOSED.has(tag.name)) return;
    if (tag.kind === 'begin') this.open.push(tag);
    else this.#end(tag);
  }

  /** Whether it opens and closes the same elements. */
  get isBalanced(): boolean {
    return !this.isUnknown && this.open.length === 0 && this.ends.length === 0;
  }

  /** Continues after a nested branch. */
  takeBranch(inner: Branch): void {
    this.paragraphs.takeBlock(inner.paragraphs);
    for (const [name, count] of inner.#optional) this.#count(name, count);
  }

  #takeOptional(tag: Tag): void {
    if (tag.kind === 'begin') this.#count(tag.name, tag.name === 'br' ? 0 : 1);
    else if (this.#count(tag.name, -1) < 0) this.strayEnds.push(tag);
  }

  #count(name: string, change: number): number {
    const count = (this.#optional.get(name) ?? 0) + change;
    this.#optional.set(name, Math.max(0, count));
    return count;
  }

  #end(tag: Tag): void {
    const index = this.open.findLastIndex(({ name }) => name === tag.name);
    if (index >= 0) {
      for (const inner of this.open.splice(index).slice(1)) {
        this.crossed.push(problemAt(inner, messages.crossed(inner.name, tag.name)));
        this.#closedEarly.push(inner.name);
      }
      return;
    }
    const early = this.#closedEarly.lastIndexOf(tag.name);
    if (early >= 0) this.#closedEarly.splice(early, 1);
    else this.ends.push(tag);
  }
}

/**
 * Finds start and end tags that do not match. A block may open an element in one branch and close it in another; then
 * nothing around it is reported, because whether the tags match depends on the data.
 */
export function findTagProblems(html: string): TextProblem[] {
  if (html.length > MAX_HTML_LENGTH) return [];
  const { masked, marks } = maskExpressions(html);
  const tags = tagsIn(masked);
  if (!tags) return [];
  const found: TextProblem[] = [];
  const branches = [new Branch(true)];
  for (const each of [...tags, ...marks].sort((a, b) => a.from - b.from)) {
    if (isTag(each)) branches.at(-1)?.take(each);
    else if (!turn(branches, each, found)) return [];
  }
  const [root] = branches;
  if (!root || branches.length > 1) return [];
  return [...found, ...(root.isUnknown ? [] : problemsOf(root)), ...paragraphProblems(root)];
}

function isTag(each: Tag | BlockMark): each is Tag {
  return each.kind === 'begin' || each.kind === 'end';
}

/** Leaves a branch, enters one, or both. Returns false for the end of a block that was not opened. */
function turn(branches: Branch[], { kind }: BlockMark, found: TextProblem[]): boolean {
  if (kind !== 'block') {
    const branch = branches.pop();
    const outer = branches.at(-1);
    if (!branch || !outer) return false;
    if (!branch.isUnknown) found.push(...branch.crossed);
    found.push(...paragraphProblems(branch));
    outer.takeBranch(branch);
    if (!branch.isBalanced) outer.isUnknown = true;
  }
  if (kind !== 'endblock') branches.push(new Branch());
  return true;
}

function problemsOf({ open, ends, strayEnds, crossed }: Branch): TextProblem[] {
  const unmatched = [...ends, ...strayEnds];
  return [
    ...crossed,
    ...open.map((tag) => problemAt(tag, messages.tagOpen(tag.name))),
    ...unmatched.map((tag) => problemAt(tag, messages.tagEnd(tag.name))),
  ];
}

function paragraphProblems({ paragraphs }: Branch): TextProblem[] {
  return paragraphs.strayEnds.map((tag) => problemAt(tag, messages.paragraphEnd));
}

function problemAt({ name, from, to }: Tag, message: string): TextProblem {
  return { name, from, to, message };
}

/** Does not match the tags: a parser that does would skip some of them after an error. */
const FLAT = htmlLanguage.parser.configure({ dialect: 'noMatch' });

/** Returns the tags that must match, in order; undefined when a tag cannot be parsed. */
function tagsIn(html: string): Tag[] | undefined {
  const tags: Tag[] = [];
  let isReadable = true;
  FLAT.parse(html).iterate({
    mode: IterMode.IgnoreMounts,
    enter: ({ name: type, from, to, node }) => {
      if (type.startsWith('Incomplete')) isReadable = false;
      if (!/^(?:Open|Close)Tag$/.test(type)) return;
      const tagName = node.getChild('TagName');
      const name = tagName ? html.slice(tagName.from, tagName.to).toLowerCase() : '';
      if (!CLOSED.has(name) && !OPTIONAL.has(name) && !Paragraphs.concerns(name)) return;
      tags.push({ kind: type === 'OpenTag' ? 'begin' : 'end', name, from, to });
    },
  });
  return isReadable ? tags : undefined;
}
