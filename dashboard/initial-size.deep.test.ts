import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newAccount } from './testing/dashboard.ts';
import { dashboard } from './testing/each-test.ts';

/** Every section. These pages show neither the editor nor a PDF. */
const SECTIONS =
  '/ /templates /documents /batches /emails /webhooks /webhooks/deliveries /keys /requests /usage';

describe("The pages' code", () => {
  it.each([
    ['250 kB of gzip before the editor and PDF.js load', SECTIONS, / inter-.*usage-page/, gzipSync, 250_000],
    [
      '590 kB of Brotli before the first preview',
      '/templates/:id',
      /pdf\.worker-/,
      brotliCompressSync,
      590_000,
    ],
  ])('is at most %s', async (_limit, pages, loaded, compress, maxBytes) => {
    const { client, key } = await newAccount();
    const { id } = await client.templates.create({ name: 'Letter', html: '<h1>Letter</h1>' });
    const files = new Set<string>();
    dashboard.page.on('request', (request) => {
      const [, name] = /\/dashboard\/assets\/(.+)$/.exec(request.url()) ?? [];
      if (name !== undefined) files.add(name);
    });
    for (const path of pages.replace(':id', id).split(' ')) {
      await dashboard.signIn(key, path);
      await dashboard.page.locator('h1').wait();
      await dashboard.loaded();
      await dashboard.page.waitForFunction(`!document.querySelector('.preview_pane:not(:has(canvas))')`);
    }
    const sizes = await Promise.all(
      [...files].map(async (name) => {
        const file = await readFile(new URL(`dist/assets/${name}`, import.meta.url));
        return [name, compress(file).length] as const;
      }),
    );
    expect([...files].join(' ')).toMatch(loaded);
    const sum = sizes.reduce((bytes, [, size]) => bytes + size, 0);
    expect(sum, JSON.stringify(Object.fromEntries(sizes))).toBeLessThanOrEqual(maxBytes);
  });
});
