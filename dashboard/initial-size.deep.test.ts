import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { client } from './testing/dashboard.ts';
import { dashboard } from './testing/each-test.ts';

/** Every section. These pages show neither the editor nor a PDF. */
const PAGES = [
  '/',
  '/templates',
  '/documents',
  '/batches',
  '/emails',
  '/webhooks',
  '/webhooks/deliveries',
  '/keys',
  '/requests',
  '/usage',
];

/** Opens pages and returns the names of the files that they load. */
async function filesOf(...pages: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>();
  dashboard.page.on('request', (request) => {
    const [, name] = /\/dashboard\/assets\/(.+)$/.exec(request.url()) ?? [];
    if (name !== undefined) files.add(name);
  });
  await dashboard.signIn(undefined, pages[0]);
  for (const path of pages) {
    await dashboard.go(path);
    await dashboard.page.locator('h1').wait();
    await dashboard.loaded();
  }
  return [...files];
}

async function expectSize(files: readonly string[], compress: (file: Buffer) => Buffer, maxBytes: number) {
  const sizes = await Promise.all(
    files.map(async (name) => {
      const file = await readFile(new URL(`dist/assets/${name}`, import.meta.url));
      return [name, compress(file).length] as const;
    }),
  );
  const sum = sizes.reduce((bytes, [, size]) => bytes + size, 0);
  expect(sum, JSON.stringify(Object.fromEntries(sizes))).toBeLessThanOrEqual(maxBytes);
}

describe('The code of the pages', () => {
  it('is at most 250 kB of gzip before the editor and PDF.js load', async () => {
    const files = await filesOf(...PAGES);
    expect(files.join(' ')).toMatch(/ inter-.*usage-page/);
    await expectSize(files, gzipSync, 250_000);
  });

  it('is at most 590 kB of Brotli when the editor shows its first page', async () => {
    const { id } = await client.templates.create({ name: 'Letter', html: '<h1>Letter</h1>' });
    const files = await filesOf(`/templates/${id}`);
    await dashboard.page.waitForSelector('.preview_page canvas');
    expect(files.join(' ')).toMatch(/pdf\.worker-/);
    await expectSize(files, brotliCompressSync, 590_000);
  });
});
