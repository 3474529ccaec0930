import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { slug } from '../../docs/site/markdown.ts';
import { filesOf, page, ROOT, withoutBlocks } from './pages.ts';

const pages = [
  ...(await filesOf('*.md')),
  ...(await filesOf('docs/**/*.md')),
  ...(await filesOf('{deploy,test/bench}/*.md')),
];

/** Returns the link anchors of the headings. */
function anchors(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map((match) => slug(String(match[1])));
}

async function problem(from: string, link: string): Promise<string | undefined> {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  const full = fileURLToPath(new URL(file, ROOT));
  if (!existsSync(full)) return `${link}: there is no ${file}`;
  if (anchor === undefined || statSync(full).isDirectory()) return undefined;
  return anchors(await page(file)).includes(anchor) ? undefined : `${link}: ${file} has no such heading`;
}

it.each(pages)('Links in the docs in %s have existing targets', async (file) => {
  const text = withoutBlocks(await page(file));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => String(match[1]));
  const own = links.filter((link) => !/^[a-z]+:/.test(link));
  const problems = await Promise.all(own.map((link) => problem(file, link)));
  expect(problems.filter((found) => found !== undefined)).toEqual([]);
});

it('Links in the docs lead to every image', async () => {
  const text = (await Promise.all(pages.map(page))).join();
  const pictures = (await filesOf('docs/images/*')).map((file) => file.replace('docs/', ''));
  expect(pictures.filter((picture) => !text.includes(picture))).toEqual([]);
});
