import { readFile } from 'node:fs/promises';

/** Returns the paths of the pages that `shell/sections.ts` registers, below /dashboard and sorted. */
export async function registeredPaths(): Promise<string[]> {
  const source = await readFile(new URL('../shell/sections.ts', import.meta.url), 'utf8');
  const sections = source.split(/^ {4}path: /m).slice(1);
  const paths = sections.flatMap((section) => {
    const path = /^'(.*)'/.exec(section)?.[1] ?? '';
    return Array.from(section.matchAll(/'([^']*)': lazy/g), ([, below]) => path + below);
  });
  return paths.toSorted();
}
