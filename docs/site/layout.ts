import { escapeHtml, type Heading } from './markdown.ts';
import { SHELVES, type Shelf } from './shelves.ts';

/** A page as the navigation shows it. */
export interface LinkedPage {
  readonly title: string;
  readonly summary: string;
  readonly url: string;
  readonly shelf: Shelf | undefined;
  readonly group: string | undefined;
}

export interface Layout {
  readonly page: LinkedPage;
  readonly isGenerated: boolean;
  readonly headings: readonly Heading[];
  readonly content: string;
  /** All pages, in shelf order. */
  readonly pages: readonly LinkedPage[];
  /** Path from the page to the start page, for example `../`. */
  readonly root: string;
  /** Folder of the assets, relative to the start page. */
  readonly assets: string;
}

/** Pages of a shelf on the start page. */
const BEST = 6;

/** Returns the HTML of a whole page, without inline scripts or styles. */
export function layout(options: Layout): string {
  const { page, content, root, isGenerated } = options;
  const isStart = page.url === '';
  const [, title = '', text = ''] = /^(<h1.*?<\/h1>)(.*)$/s.exec(content) ?? [];
  const assets = `${root}${options.assets}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.summary)}">
<title>${escapeHtml(isStart ? page.title : `${page.title} · Trifold`)}</title>
<link rel="icon" href="${assets}favicon.svg" type="image/svg+xml">
<link rel="preload" href="${assets}inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets}site.css">
<script type="module" src="${assets}site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button type="button" class="menu" popovertarget="pages">Menu</button>
<a class="brand" href="${root || './'}"><img src="${assets}favicon.svg" alt="" width="24" height="24">Trifold <span>docs</span></a>
<search class="search">
<input type="search" placeholder="Search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<kbd>/</kbd>
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</search>
</header>
<div class="frame">
<nav class="pages" id="pages" popover aria-label="Pages">
${sidebar(options)}
</nav>
<main id="content">
${page.shelf ? `<p class="shelf">${page.shelf.title}</p>` : ''}
${title}
${contents(options)}
<article>
${text}
${isStart ? shelves(options) : ''}
${isGenerated ? '<p class="generated">This page is generated from the source code.</p>' : ''}
</article>
${isStart ? '' : neighbours(options)}
</main>
</div>
</body>
</html>
`;
}

function link({ root }: Layout, { url, title }: LinkedPage, attributes = ''): string {
  return `<a href="${`${root}${url}` || './'}"${attributes}>${escapeHtml(title)}</a>`;
}

/** The links to a shelf's pages. A group is one link, followed by its pages if one of them is open. */
function itemsOf(shelf: Shelf, options: Layout): string[] {
  const { page, pages } = options;
  return pages.flatMap((linked, index) => {
    const { group } = linked;
    if (linked.shelf !== shelf) return [];
    const current = linked.url === page.url ? ' aria-current="page"' : '';
    if (group === undefined) return [`<li>${link(options, linked, current)}</li>`];
    const isFirst = pages[index - 1]?.group !== group;
    const title = isFirst ? [`<li>${link(options, { ...linked, title: group })}</li>`] : [];
    const nested = `<li class="nested">${link(options, linked, current)}</li>`;
    return group === page.group ? [...title, nested] : title;
  });
}

function sidebar(options: Layout): string {
  return SHELVES.map((shelf) => {
    const items = itemsOf(shelf, options);
    return items.length === 0 ? '' : `<h2>${shelf.title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  }).join('\n');
}

/** "On this page", unless it is too short to need it. */
function contents({ headings }: Layout): string {
  const items = headings
    .filter(({ level }) => level <= 3)
    .map(({ id, text, level }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`);
  if (items.length < 2) return '';
  return `<details class="contents"><summary>On this page</summary><ul>\n${items.join('\n')}\n</ul></details>`;
}

/** The shelves and their first pages, for the start page. */
function shelves(options: Layout): string {
  const cards = SHELVES.map((shelf) => {
    const items = itemsOf(shelf, options).slice(0, BEST).join('\n');
    return `<section><h2>${shelf.title}</h2>\n<p>${shelf.summary}</p>\n<ul>\n${items}\n</ul></section>`;
  });
  return `<div class="shelves">\n${cards.join('\n')}\n</div>`;
}

function neighbours(options: Layout): string {
  const { page, pages } = options;
  const index = pages.findIndex(({ url }) => url === page.url);
  const before = pages[index - 1];
  const after = pages[index + 1];
  const previous = before && index > 0 ? link(options, before, ' rel="prev"') : '';
  return `<nav class="neighbours" aria-label="Previous and next page">${previous}${after ? link(options, after, ' rel="next"') : ''}</nav>`;
}
