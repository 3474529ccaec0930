/**
 * Builds the package: JavaScript and declarations in `dist/`, using the types that generate.ts writes, and the license.
 * npm runs it after `npm ci` and before `npm pack`. `--out DIR` builds into a directory other than `dist/`.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DIST = parseArgs({ options: { out: { type: 'string', default: join(HERE, 'dist') } } }).values.out;
const TSC = compiler();

await import('./generate.ts');
await rm(DIST, { recursive: true, force: true });
const project = join(HERE, 'tsconfig.json');
const { status } = spawnSync(
  process.execPath,
  [TSC, '--project', project, '--noEmit', 'false', '--outDir', DIST],
  {
    stdio: 'inherit',
  },
);
if (status !== 0) throw new Error('the sources do not compile');
// The compiler rewrites import extensions only in JavaScript, and older compilers do not resolve `.ts`.
for await (const file of glob('**/*.d.ts', { cwd: DIST })) {
  const declarations = await readFile(join(DIST, file), 'utf8');
  await writeFile(join(DIST, file), declarations.replaceAll(/ from '(\.[^']+)\.ts'/g, " from '$1.js'"));
}
await copyFile(join(HERE, '..', '..', 'LICENSE'), join(HERE, 'LICENSE'));

/** Skips the build if `npm ci --omit=dev` omitted the compiler: the services do not need the client. */
function compiler(): string {
  try {
    const manifest = createRequire(join(HERE, '..', '..', 'package.json')).resolve('typescript/package.json');
    return manifest.replace(/package\.json$/, 'bin/tsc');
  } catch {
    process.stderr.write('TypeScript is not installed; skipping the build of @trifold/client\n');
    process.exit();
  }
}
