import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { afterAll, describe, expect, it } from 'vitest';
import { SEARCH_OPTIONS, type SearchEntry } from '../../docs/site/browser/search-options.ts';
import { buildSite } from '../../docs/site/site.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const folder = await temporaryDirectory();
afterAll(() => removeDirectory(folder));
const out = pathToFileURL(`${folder}/`);
await buildSite(out);

const names = await readdir(out, { recursive: true });
const files = new Map<string, Buffer>();
for (const name of names.filter((one) => /\.\w+$/.test(one)))
  files.set(name, await readFile(join(folder, name)));
const pages = [...files]
  .filter(([name]) => name.endsWith('.html'))
  .map(([name, file]) => [name, String(file)] as const);

function deadLinks(name: string, html: string): string[] {
  // The gateway serves this page at any unknown address.
  const text = name === '404.html' ? html.replaceAll('"/docs/', '"') : html;
  return [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].flatMap(([, link = '']) => {
    const { href, hash, protocol } = new URL(link.replaceAll('&amp;', '&'), new URL(name, out));
    if (protocol !== 'file:') return [];
    const path = (href.slice(out.href.length).split('#')[0] ?? '').replace(/(?<=^|\/)$/, 'index.html');
    const target = files.get(path);
    return target && (hash === '' || target.includes(` id="${hash.slice(1)}"`)) ? [] : [`${name}: ${link}`];
  });
}

it('The docs/ site has no dead link or anchor', () => {
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.flatMap(([name, html]) => deadLinks(name, html))).toEqual([]);
});

it('The docs/ site needs no inline script or style, no other host, and at most 10 MB', () => {
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  expect(bytes).toBeLessThan(10_000_000);
  const html = pages.map(([, text]) => text).join('');
  expect(html).not.toMatch(/<script(?! type="module" src=")|<style| style="| on\w+="| src="https?:/);
});

describe('The site search', () => {
  const [, index] = [...files].find(([name]) => name.endsWith('search.json')) ?? [];
  const search = MiniSearch.loadJSON<SearchEntry>(String(index), SEARCH_OPTIONS);

  it.each([
    ['validate the length of an array', /schema/i],
    ['what does 409 mean on generate', /documents|errors/i],
    ['put it behind an Ingress with TLS', /ingress/i],
    ['how do I restore a backup', /restore|back/i],
    ['field reference of Batch', /^Batch › /m],
    ['work with kubectl', /kubectl/i],
    ['format currency', /currenc/i],
    ['run the tests', /testing/i],
    ['which fonts can I use', /font/i],
    ['page break before a heading', /break|page/i],
    ['verify the signature of a webhook', /sign|verif/i],
    ['install with Argo CD', /argo/i],
    ['migrate from Gotenberg', /gotenberg/i],
    ['contributing', /^Contributing › Make a change$/m],
    ['my document is stuck', /document is stuck/i],
    ['document stays pending', /document is stuck/i],
    ['document hangs', /document is stuck/i],
    ['remove an account', /Accounts › Remove an account/],
  ])('finds "%s" among its first three results', (query, expected) => {
    const found = search.search(query).slice(0, 3);
    expect(found.map(({ title, heading }) => `${title} › ${heading}`).join('\n')).toMatch(expected);
  });
});
