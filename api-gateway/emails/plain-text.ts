import { attributeOf, htmlTokens, unescapeHtml, VOID, type HtmlToken } from './html-tokens.ts';
import { TextBlock } from './text-block.ts';

/** The text alternative of a letter that brings none, from html that a parser has written. Links and tables stay readable. */
export function plainTextOf(html: string): string {
  const writer = new TextWriter();
  for (const token of htmlTokens(html)) writer.take(token);
  return writer.finish();
}

/** What inboxes do not show as text. */
const UNSEEN: ReadonlySet<string> = new Set([
  'head',
  'title',
  'template',
  'svg',
  'object',
  'select',
  'audio',
  'video',
]);
const HIDDEN = /display\s*:\s*none/i;
/** Elements with an empty line before and behind. */
const PARAGRAPHS: ReadonlySet<string> = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'dl',
  'table',
  'blockquote',
  'pre',
  'figure',
]);
/** Elements that are lines of their own. */
const LINES: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'caption',
  'center',
  'dd',
  'details',
  'div',
  'dt',
  'fieldset',
  'figcaption',
  'footer',
  'form',
  'header',
  'legend',
  'li',
  'main',
  'nav',
  'section',
  'summary',
  'tr',
]);
/** Elements whose lines are put together apart, and then taken in as a whole. */
const APART: ReadonlySet<string> = new Set(['blockquote', 'li', 'td', 'th', 'tr']);
/** Deeper than this, what is in such an element is written as if it were not there. */
const DEEPEST = 60;

/** An element whose lines are being put together. */
interface Frame {
  readonly name: string;
  readonly block: TextBlock;
  /** Of a row. */
  readonly cells: string[];
}

interface Link {
  readonly url: string;
  text: string;
}

class TextWriter {
  readonly #frames: Frame[] = [{ name: '', block: new TextBlock(), cells: [] }];
  /** Numbers of the next items of the open lists; undefined where they have none. */
  readonly #lists: (number | undefined)[] = [];
  readonly #links: Link[] = [];
  #verbatim = 0;
  /** Whether nothing came since a link was written. */
  #isBehindLink = false;
  /** Elements open inside one that is not shown, itself included. */
  #unseen = 0;

  take(token: HtmlToken): void {
    if (this.#unseen > 0 || isUnseen(token)) this.#passOver(token);
    else if (token.kind === 'text') this.#text(unescapeHtml(token.source));
    else if (token.kind === 'open') this.#open(token);
    else this.#close(token.name);
  }

  finish(): string {
    while (this.#frames.length > 1) this.#closeFrame(this.#frame.name);
    return this.#frame.block.toString();
  }

  get #frame(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  #passOver({ kind, name }: HtmlToken): void {
    if (kind === 'text' || VOID.has(name)) return;
    this.#unseen += kind === 'open' ? 1 : -1;
  }

  #text(text: string): void {
    if (text !== '') this.#isBehindLink = false;
    const link = this.#links.at(-1);
    if (link) link.text += text;
    if (this.#verbatim > 0) this.#frame.block.writeAsIs(text);
    else this.#frame.block.write(text);
  }

  #open(token: HtmlToken): void {
    const { name } = token;
    this.#space(name);
    if (APART.has(name) && this.#frames.length < DEEPEST) {
      this.#frames.push({ name, block: new TextBlock(), cells: [] });
    }
    if (name === 'ul') this.#lists.push(undefined);
    else if (name === 'ol') this.#lists.push(firstNumber(token));
    else if (name === 'pre') this.#verbatim += 1;
    else if (name === 'a') this.#openLink(token);
    else this.#openVoid(token);
  }

  #openVoid(token: HtmlToken): void {
    const { block } = this.#frame;
    if (token.name === 'br') block.breakLine();
    else if (token.name === 'img') this.#text(attributeOf(token, 'alt') ?? '');
    else if (token.name === 'hr') {
      block.endLine(1);
      block.write('---');
      block.endLine(1);
    }
  }

  #close(name: string): void {
    if (name === 'a') this.#closeLink();
    else if (name === 'pre') this.#verbatim -= 1;
    else if (APART.has(name)) this.#closeFrame(name);
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    this.#space(name);
  }

  /** The room around an element. */
  #space(name: string): void {
    const { block } = this.#frame;
    // A list in a list stays close to its item.
    const isNested = this.#lists.length > 0 && (name === 'ul' || name === 'ol');
    if (PARAGRAPHS.has(name)) block.endLine(isNested ? 0 : 1);
    else if (LINES.has(name)) block.endLine();
  }

  /** Where two links touch, a mail program would take them for one address. */
  #openLink(token: HtmlToken): void {
    if (this.#isBehindLink) this.#frame.block.write(' ');
    this.#links.push({ url: shownUrl(token), text: '' });
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (!link || link.url === '') return;
    const { url } = link;
    const text = link.text.replaceAll(/\s+/g, ' ').trim();
    const outer = this.#links.at(-1);
    if (outer) outer.text += text;
    if (text === '') this.#frame.block.write(` ${url} `);
    else if (!isSame(text, url)) this.#frame.block.write(` (${url})`);
    this.#isBehindLink = true;
  }

  #closeFrame(name: string): void {
    if (this.#frames.length === 1 || this.#frame.name !== name) return;
    const { block, cells } = this.#frames.pop() as Frame;
    const outer = this.#frame;
    const text = block.toString();
    if (name === 'blockquote') outer.block.append(text, '> ', '> ');
    else if (name === 'li') this.#item(text);
    else if (name === 'tr') this.#row(text, cells);
    else if (outer.name === 'tr') outer.cells.push(text);
    else outer.block.append(text, '', '');
  }

  #item(text: string): void {
    const number = this.#lists.at(-1);
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1;
    const mark = number === undefined ? '- ' : `${number}. `;
    this.#frame.block.append(text, mark, ' '.repeat(mark.length));
  }

  /** Cells of one line each stand beside each other; cells that hold more were for the layout, and follow each other. */
  #row(text: string, cells: readonly string[]): void {
    const { block } = this.#frame;
    block.append(text, '', '');
    const filled = cells.filter((cell) => cell !== '');
    if (filled.every((cell) => !cell.includes('\n'))) {
      block.endLine();
      block.append(filled.join(' | '), '', '');
      return;
    }
    for (const cell of filled) {
      block.endLine(1);
      block.append(cell, '', '');
    }
    block.endLine(1);
  }
}

/** The css is inlined by now, so that an element tells itself that it is hidden. */
function isUnseen(token: HtmlToken): boolean {
  if (token.kind !== 'open') return false;
  if (UNSEEN.has(token.name)) return true;
  return HIDDEN.test(token.source) && HIDDEN.test(attributeOf(token, 'style') ?? '');
}

function firstNumber(list: HtmlToken): number {
  const start = attributeOf(list, 'start') ?? '';
  return /^-?\d{1,6}$/.test(start) ? Number(start) : 1;
}

/** Where a link leads, as people read it; empty for one that leads nowhere outside the letter. */
function shownUrl(link: HtmlToken): string {
  const url = (attributeOf(link, 'href') ?? '').trim();
  if (/^(?:mailto|tel):/i.test(url)) return url.replace(/^\w+:/, '');
  return /^https?:\/\//i.test(url) ? url : '';
}

function isSame(text: string, url: string): boolean {
  const bare = (address: string) =>
    address
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '')
      .toLowerCase();
  return bare(text) === bare(url);
}
