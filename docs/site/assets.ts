import { readdir, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './browser/search-options.ts';
import type { ParsedPage } from './markdown.ts';
import type { Page } from './pages.ts';

const EXCERPT_LENGTH = 140;
const DASHBOARD = new URL('../../dashboard/', import.meta.url);
const FONTS = new URL('styles/fonts/', DASHBOARD);
const DARK = ":root[data-theme='dark'] {";

/** Returns the site's style, scripts, fonts and search index, by file name. */
export async function assetsOf(
  pages: readonly (Page & ParsedPage)[],
): Promise<ReadonlyMap<string, string | Buffer>> {
  return new Map<string, string | Buffer>([
    ['site.css', await style()],
    ['site.js', await script('site')],
    ['search-options.js', await script('search-options')],
    ['minisearch.js', await miniSearch()],
    ['search.json', searchIndex(pages)],
    ['favicon.svg', await readFile(new URL('public/favicon.svg', DASHBOARD))],
    ...(await fonts()),
  ]);
}

/** The dashboard's fonts and tokens; here, the theme follows the system. */
async function style(): Promise<string> {
  const tokens = await readFile(new URL('styles/tokens.css', DASHBOARD), 'utf8');
  const [light, dark] = tokens.split(DARK);
  if (dark === undefined) throw new Error(`dashboard/styles/tokens.css has no ${DARK}`);
  const faces = (await readFile(new URL('styles/fonts.css', DASHBOARD), 'utf8')).replaceAll("'fonts/", "'");
  const site = await readFile(new URL('site.css', import.meta.url), 'utf8');
  return `${faces}${light}@media (prefers-color-scheme: dark) {\n:root {${dark}}\n${site}`;
}

async function script(name: string): Promise<string> {
  const source = await readFile(new URL(`browser/${name}.ts`, import.meta.url), 'utf8');
  return stripTypeScriptTypes(source).replaceAll(
    /(?<=from |import\()'(?:\.\/)?([\w-]+)(?:\.ts)?'/g,
    "'./$1.js'",
  );
}

async function miniSearch(): Promise<string> {
  const source = await readFile(new URL(import.meta.resolve('minisearch')), 'utf8');
  return source.replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

/** The fonts and their licenses. */
async function fonts(): Promise<(readonly [string, Buffer])[]> {
  const names = (await readdir(FONTS)).filter((name) => /\.(?:woff2|txt)$/.test(name));
  return Promise.all(names.map(async (name) => [name, await readFile(new URL(name, FONTS))] as const));
}

function searchIndex(pages: readonly (Page & ParsedPage)[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  const entries = pages.flatMap(({ url, title, shelf, sections }) =>
    sections.map(({ id, heading, text }) => ({
      url: id === '' ? url : `${url}#${id}`,
      title,
      heading,
      shelf: shelf?.title ?? '',
      text,
      excerpt: text.slice(0, EXCERPT_LENGTH).trim(),
    })),
  );
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
}
