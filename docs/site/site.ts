import { createHash } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { assetsOf } from './assets.ts';
import { layout } from './layout.ts';
import { Links, rootOf } from './links.ts';
import { parsePage, renderPage, type ParsedPage } from './markdown.ts';
import { readPages, type Page } from './pages.ts';
import { SHELVES } from './shelves.ts';

const DOCS = new URL('../', import.meta.url);

/**
 * The page for unknown addresses. It can appear at any address, so its links begin with the path where the gateway
 * serves the site.
 */
const MISSING = { title: 'Page not found', summary: '', url: '404.html', shelf: undefined, group: undefined };
const MISSING_CONTENT =
  '<h1>Page not found</h1><p>This page does not exist or has moved. Search for it above.</p>';
const SERVED_AT = '/docs/';

/**
 * Writes the site for docs/ to a folder, replacing the folder's content. Throws an error that names each page without a
 * shelf and each link without a target.
 */
export async function buildSite(out: URL): Promise<void> {
  const pages = (await readPages(DOCS)).map((page) => ({
    ...page,
    ...naming(page, () => parsePage(page.markdown)),
  }));
  const links = new Links(DOCS, pages);
  const contents = pages.map((page) => naming(page, () => renderPage(page, links.of(page))));
  if (links.problems.length > 0) throw new Error(`Links without a target:\n${links.problems.join('\n')}`);

  const files = new Map<string, string | Buffer>();
  const found = await assetsOf(pages);
  const assets = `assets/${hashOf([...found.values()])}/`;
  for (const [name, asset] of found) files.set(`${assets}${name}`, asset);
  for (const [index, page] of pages.entries()) {
    const { isGenerated, headings } = page;
    const content = contents[index] ?? '';
    const html = layout({ page, pages, isGenerated, headings, content, root: rootOf(page), assets });
    files.set(fileOf(page.url), html);
  }
  const missing = { page: MISSING, headings: [], content: MISSING_CONTENT, isGenerated: false };
  files.set(MISSING.url, layout({ ...missing, pages, root: SERVED_AT, assets }));
  files.set('llms.txt', llmsText(pages));

  await rm(out, { recursive: true, force: true });
  for (const [name, file] of files) {
    await mkdir(new URL('.', new URL(name, out)), { recursive: true });
    await writeFile(new URL(name, out), file);
  }
  for (const name of links.files) await cp(new URL(name, DOCS), new URL(name, out));
}

/** Adds the page's name to an error message. */
function naming<Result>({ path }: Page, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new Error(`docs/${path}: ${(error as Error).message}`, { cause: error });
  }
}

function fileOf(url: string): string {
  return url === '' || url.endsWith('/') ? `${url}index.html` : url;
}

/** Browsers cache the assets for a year, so their folder changes with their content. */
function hashOf(contents: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 12);
}

/** The pages for language models, by shelf (llmstxt.org). */
function llmsText(pages: readonly (Page & ParsedPage)[]): string {
  const [start] = pages;
  const shelves = SHELVES.map(({ title, summary }) => {
    const items = pages
      .filter(({ shelf }) => shelf?.title === title)
      .map((page) => `- [${page.title}](${page.url}): ${page.summary}`);
    return `## ${title}\n\n${summary}\n\n${items.join('\n')}\n`;
  });
  return `# Trifold\n\n> ${start?.summary}\n\n${shelves.join('\n')}`;
}
