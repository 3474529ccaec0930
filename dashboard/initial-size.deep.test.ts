import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dashboard } from './testing/each-test.ts';

const MAX_BYTES = 250_000;

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

describe('The code of the pages', () => {
  it('is at most 250 kB of gzip before the editor and PDF.js load', async () => {
    const files = new Set<string>();
    dashboard.page.on('request', (request) => {
      const [, name] = /\/dashboard\/assets\/(.+)$/.exec(request.url()) ?? [];
      if (name !== undefined) files.add(name);
    });
    await dashboard.signIn();
    for (const path of PAGES) {
      await dashboard.go(path);
      await dashboard.page.locator('h1').wait();
      await dashboard.loaded();
    }
    const sizes = await Promise.all(
      [...files].map(async (name) => {
        const file = await readFile(new URL(`dist/assets/${name}`, import.meta.url));
        return [name, gzipSync(file).length] as const;
      }),
    );
    expect([...files].join(' ')).toMatch(/ inter-.*usage-page/);
    const sum = sizes.reduce((bytes, [, size]) => bytes + size, 0);
    expect(sum, JSON.stringify(Object.fromEntries(sizes))).toBeLessThanOrEqual(MAX_BYTES);
  });
});
