import { readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import type { ParsedPage, Picture, Targets } from './markdown.ts';
import type { Page } from './pages.ts';

/** Resolves the links of all pages, and collects the linked files and the broken links. */
export class Links {
  /** Below docs/: the images and other files that pages show or link to. */
  readonly files = new Set<string>();
  readonly problems: string[] = [];
  readonly #docs: URL;
  readonly #pages: ReadonlyMap<string, Page & ParsedPage>;

  constructor(docs: URL, pages: readonly (Page & ParsedPage)[]) {
    this.#docs = docs;
    this.#pages = new Map(pages.map((page) => [page.path, page]));
  }

  of(page: Page): Targets {
    return {
      link: (href) => this.#link(page, href),
      picture: (source) => this.#picture(page, source),
    };
  }

  #link(page: Page, href: string): string | undefined {
    if (/^[a-z]+:/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const target = path === '' ? page.path : targetOf(page, path);
    const found = this.#pages.get(target);
    // The rest of the repository is not on the site.
    if (found === undefined && target.startsWith('../')) return undefined;
    if (found === undefined) return this.#file(page, target);
    if (anchor === undefined) return hrefTo(page, found.url);
    if (!found.anchors.has(anchor)) this.problems.push(`docs/${page.path}: docs/${target} has no #${anchor}`);
    return path === '' ? href : `${hrefTo(page, found.url)}#${anchor}`;
  }

  #file(page: Page, target: string): string {
    const isFile = statSync(new URL(target, this.#docs), { throwIfNoEntry: false })?.isFile();
    if (isFile) this.files.add(target);
    else this.problems.push(`docs/${page.path}: there is no page or file docs/${target}`);
    return hrefTo(page, target);
  }

  #picture(page: Page, source: string): Picture {
    const target = targetOf(page, source);
    const url = this.#file(page, target);
    const png = this.files.has(target) ? readFileSync(new URL(target, this.#docs)) : Buffer.alloc(24);
    return { url, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
  }
}

/** Returns the path of a link's target, relative to docs/. */
function targetOf(page: Page, path: string): string {
  // In a page above docs/, links to pages below docs/ begin with docs/.
  return posix.join(posix.dirname(page.path), path).replace(/^\.\.\/docs\//, '');
}

/** Path from a page to the start page. */
export function rootOf(page: Page): string {
  return '../'.repeat(page.url.split('/').length - 1);
}

function hrefTo(page: Page, url: string): string {
  return `${rootOf(page)}${url}` || './';
}
