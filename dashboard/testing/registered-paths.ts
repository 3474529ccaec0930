import { readFile } from 'node:fs/promises';

/** Returns the paths of the pages that `shell/pages.tsx` registers, below /dashboard and sorted. */
export async function registeredPaths(): Promise<string[]> {
  const source = await readFile(new URL('../shell/pages.tsx', import.meta.url), 'utf8');
  return Array.from(source.matchAll(/^  '(.*)': lazyPage/gm), ([, path = '']) => path).toSorted();
}
