import { readdir, readFile } from 'node:fs/promises';
import { SHELVES, type Entry, type Shelf } from './shelves.ts';

export interface Page {
  /** Relative to docs/, for example `how-to/fonts.md` or `../CONTRIBUTING.md`. */
  readonly path: string;
  /** On the site, for example `how-to/fonts.html`; `api/` for `api/index.md`, `contributing.html` for a page above docs/. */
  readonly url: string;
  /** Absent for the start page. */
  readonly shelf: Shelf | undefined;
  /** Title of the folder that the sidebar shows as one link. */
  readonly group: string | undefined;
  /** Whether the page is generated, according to its front matter. */
  readonly isGenerated: boolean;
  readonly markdown: string;
}

type Place = Pick<Page, 'path' | 'shelf' | 'group'>;

const START = 'index.md';
const ABOVE = '../';
/** Folders of docs/ without pages. */
const OTHER = /^(?:dist|node_modules|site)\//;

/**
 * Reads the start page and the pages of all shelves, in order. Throws an error that names each page that is not on
 * exactly one shelf.
 */
export async function readPages(docs: URL): Promise<Page[]> {
  const files = await readdir(docs, { recursive: true });
  const paths = files.filter((file) => file.endsWith('.md') && !OTHER.test(file)).sort();
  const others = paths.filter((path) => !SHELVES.some(({ entries }) => entries.includes(path)));
  const places: Place[] = [{ path: START, shelf: undefined, group: undefined }];
  for (const shelf of SHELVES) {
    for (const entry of shelf.entries) {
      const group = typeof entry === 'string' ? undefined : entry.title;
      places.push(...pathsOf(entry, others).map((path) => ({ path, shelf, group })));
    }
  }
  checkPlaces(places, paths);
  return Promise.all(
    places.map(async (place) => {
      const text = await readFile(new URL(place.path, docs), 'utf8');
      return { ...place, url: urlOf(place.path), ...parse(text) };
    }),
  );
}

function pathsOf(entry: Entry, paths: readonly string[]): readonly string[] {
  if (typeof entry === 'string') return [entry];
  const { folder, first = [] } = entry;
  const inside = paths.filter((path) => path.startsWith(`${folder}/`));
  if (inside.length === 0) return [];
  return [...new Set([...first.map((name) => `${folder}/${name}`), ...inside])];
}

function checkPlaces(places: readonly Place[], paths: readonly string[]): void {
  const placed = places.map(({ path }) => path);
  const problems = [
    ...paths.filter((path) => !placed.includes(path)).map((path) => `docs/${path} is not on a shelf`),
    ...placed
      .filter((path, index) => placed.indexOf(path) !== index)
      .map((path) => `docs/${path} is on more than one shelf`),
    ...placed
      .filter((path) => !path.startsWith(ABOVE) && !paths.includes(path))
      .map((path) => `docs/${path} does not exist`),
  ];
  if (problems.length > 0) throw new Error(`Change docs/site/shelves.ts:\n${problems.join('\n')}`);
}

function urlOf(path: string): string {
  if (path.startsWith(ABOVE)) return urlOf(path.slice(ABOVE.length).toLowerCase());
  return path.replace(/(?<=^|\/)index\.md$/, '').replace(/\.md$/, '.html');
}

function parse(text: string): Pick<Page, 'isGenerated' | 'markdown'> {
  const [front = ''] = /^---\n[^]*?\n---\n/.exec(text) ?? [];
  return { isGenerated: /^generated: true$/m.test(front), markdown: text.slice(front.length) };
}
