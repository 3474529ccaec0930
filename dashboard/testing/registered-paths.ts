import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const DASHBOARD = fileURLToPath(new URL('..', import.meta.url));

/** Returns the paths of the pages that `shell/pages.tsx` registers, below /dashboard and sorted. */
export async function registeredPaths(): Promise<string[]> {
  const source = await readFile(`${DASHBOARD}shell/pages.tsx`, 'utf8');
  return Array.from(source.matchAll(/^  '(.*)': lazyPage/gm), ([, path = '']) => path).toSorted();
}

/** Components from which other dialogs are built. */
const GENERIC = [
  'components/notices/dialog.tsx',
  'components/notices/form-dialog.tsx',
  'templates/palette/palette.tsx',
];

/** Returns the source file of every dialog, sorted, one entry for each dialog in it. */
export async function dialogFiles(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob('**/*.tsx', { cwd: DASHBOARD, exclude: ['node_modules', 'dist'] })) {
    if (GENERIC.includes(file)) continue;
    const source = await readFile(DASHBOARD + file, 'utf8');
    files.push(
      ...Array.from(source.matchAll(/<(?:(?:Form|Confirm)?Dialog|ConfirmButton|Palette)\b/g), () => file),
    );
  }
  return files.toSorted();
}
