import MarkdownIt, { type Token } from 'markdown-it';
import { diagramLines } from './diagram.ts';
import { highlight } from './highlight.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** The text below a heading or in a table row, as indexed for search. */
export interface Section {
  /** Anchor. Empty for the text below the title. */
  readonly id: string;
  readonly heading: string;
  text: string;
}

/** A setting, a field or a code, not an example. */
const NAME = /^[\w./-]+$/;

/** A page that is parsed but has no HTML yet, because its links depend on the anchors of other pages. */
export interface ParsedPage {
  readonly title: string;
  /** First sentence of the page. */
  readonly summary: string;
  /** Without the title. */
  readonly headings: readonly Heading[];
  readonly anchors: ReadonlySet<string>;
  readonly sections: readonly Section[];
  readonly tokens: readonly Token[];
}

export interface Picture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Site data that resolves a page's link targets. */
export interface Targets {
  /** Returns the address of a link on the site, or undefined if its target is not part of the site. */
  link(href: string): string | undefined;
  picture(source: string): Picture;
}

// The HTML of a page is limited to comments and line breaks; see `html_block` and `html_inline`.
const markdown = new MarkdownIt({ html: true });
export const { escapeHtml } = markdown.utils;

/** Returns the anchor that GitHub gives to a heading. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

export function parsePage(text: string): ParsedPage {
  const tokens = markdown.parse(text, {});
  const anchors = new Set<string>();
  const [title, ...headings] = nameHeadings(tokens, anchors);
  if (title?.level !== 1) throw new Error('the page does not begin with a title');
  nameRows(tokens, anchors);
  labelCells(tokens);
  for (const { attrs } of tokens) replaceStyle(attrs);
  const paragraph = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0);
  const [summary = ''] = /^.*?[.:?](?= |$)/.exec(textOf(tokens[paragraph + 1])) ?? [];
  return { title: title.text, summary, headings, anchors, sections: sectionsOf(tokens), tokens };
}

export function renderPage({ tokens }: ParsedPage, targets: Targets): string {
  for (const { children } of tokens) resolve(children ?? [], targets);
  return markdown.renderer.render([...tokens], markdown.options, {});
}

function nameHeadings(tokens: readonly Token[], anchors: Set<string>): Heading[] {
  const counts = new Map<string, number>();
  const headings: Heading[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = textOf(tokens[index + 1]);
    const name = slug(text);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const id = count === 0 ? name : `${name}-${count}`;
    token.attrSet('id', id);
    anchors.add(id);
    const level = Number(token.tag.slice(1));
    headings.push({ id, text, level });
    token.meta = { section: { id: level === 1 ? '' : id, heading: text, text: '' } satisfies Section };
  }
  return headings;
}

/** Gives an anchor to each table row that begins with a name in code: a setting, a field, an error code. */
function nameRows(tokens: readonly Token[], anchors: Set<string>): void {
  for (const [index, token] of tokens.entries()) {
    const [first, ...others] = tokens[index + 2]?.children ?? [];
    if (token.type !== 'tr_open' || first?.type !== 'code_inline' || !NAME.test(first.content)) continue;
    // A setting and its chart value can share a cell.
    if (others.some(({ type, content }) => type === 'text' && content.trim() !== '')) continue;
    const id = slug(first.content);
    if (anchors.has(id)) continue;
    token.attrSet('id', id);
    token.meta = { section: { id, heading: first.content, text: '' } satisfies Section };
    anchors.add(id);
  }
}

/** Narrow screens stack the cells of a row, each with its column heading. */
function labelCells(tokens: readonly Token[]): void {
  let labels: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') labels = [];
    if (token.type === 'th_open') labels.push(textOf(tokens[index + 1]));
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '');
  }
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  let section: Section = { id: '', heading: '', text: '' };
  let target = section;
  const sections: Section[] = [];
  for (const [index, token] of tokens.entries()) {
    const started = token.meta?.['section'] as Section | undefined;
    if (started) {
      sections.push(started);
      target = started;
      if (token.tag !== 'tr') section = started;
    }
    if (token.type === 'tr_close') target = section;
    if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open')
      target.text += `${textOf(token)} `;
  }
  return sections;
}

function textOf(token: Token | undefined): string {
  const texts = token?.children?.map(({ type, content }) => (/break|html/.test(type) ? ' ' : content)) ?? [];
  return texts.join('').trim();
}

/** The parser aligns columns with inline styles, which the site's Content-Security-Policy forbids. */
function replaceStyle(attrs: [string, string | number][] | null): void {
  for (const attribute of attrs ?? []) {
    if (attribute[0] !== 'style') continue;
    attribute[0] = 'class';
    attribute[1] = String(attribute[1]).replace('text-align:', '');
  }
}

function resolve(tokens: readonly Token[], targets: Targets): void {
  let isLink = true;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = targets.link(String(token.attrGet('href')));
      isLink = href !== undefined;
      if (href !== undefined) token.attrSet('href', href);
    }
    if (token.type.startsWith('link_') && !isLink) token.hidden = true;
    if (token.type === 'image') token.meta = { ...targets.picture(String(token.attrGet('src'))) };
  }
}

const { rules } = markdown.renderer;

rules['heading_close'] = (tokens, index) => {
  const { tag = '' } = tokens[index] ?? {};
  const id = tokens[index - 2]?.attrGet('id');
  const anchor =
    tag === 'h1' ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  return `${anchor}</${tag}>\n`;
};

// Long names may wrap between their parts.
rules['code_inline'] = (tokens, index) => {
  const code = escapeHtml(tokens[index]?.content ?? '').replaceAll(
    /(?<=[A-Za-z][._/])(?=[A-Za-z])/g,
    '<wbr>',
  );
  return `<code>${code}</code>`;
};

rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n';
rules['table_close'] = () => '</table></div>\n';

rules['fence'] = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {};
  if (info === 'mermaid') {
    const lines = diagramLines(content).map((line) => `<li>${escapeHtml(line)}</li>`);
    return `<ol class="diagram">${lines.join('\n')}</ol>\n`;
  }
  return `<div class="code"><pre tabindex="0"><code>${highlight(content, info, escapeHtml)}</code></pre></div>\n`;
};

rules['image'] = (tokens, index) => {
  const { content = '', meta } = tokens[index] ?? {};
  const { url, width, height } = meta as unknown as Picture;
  const size = `width="${width}" height="${height}"`;
  return `<a class="picture" href="${url}"><img src="${url}" alt="${escapeHtml(content)}" ${size} loading="lazy"></a>`;
};

rules['html_block'] = rules['html_inline'] = (tokens, index) => {
  const { content = '' } = tokens[index] ?? {};
  if (/^<br ?\/?>$/.test(content)) return '<br>';
  if (/^\s*<!--[^]*-->\s*$/.test(content)) return '';
  throw new Error(`pages can have no HTML except comments and <br>: ${content}`);
};
