import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const SERVICES = '{api-gateway,cli,controller,crds,platform,renderer}/**/*.ts';
const IMPORT = /(?:from|import\()\s*'(\.[^']+|@trifold\/[^']+\.ts)'/g;

it('Images contain every file that their files import', async () => {
  const patterns = (await readFile('.dockerignore', 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('**'));
  const isOmitted = (file: string) =>
    patterns.some((pattern) => path.matchesGlob(file, pattern) || path.matchesGlob(file, `${pattern}/**`));
  const missing: string[] = [];
  for await (const file of glob(SERVICES)) {
    if (isOmitted(file)) continue;
    for (const [, specifier = ''] of (await readFile(file, 'utf8')).matchAll(IMPORT)) {
      const imported = specifier.startsWith('.')
        ? path.join(path.dirname(file), specifier)
        : specifier.replace('@trifold/', '');
      if (isOmitted(imported)) missing.push(`${file}: ${imported}`);
    }
  }
  expect(missing).toEqual([]);
});
