/**
 * `npm run build --workspace @trifold/client`: JavaScript, declarations, README and licence in `dist/`, a package to be
 * published as it is (`npm publish clients/typescript/dist`). In the repository the package is its TypeScript sources, which
 * no Node runs below node_modules; npm knows no other `exports` for publishing, so the published package.json is written here.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TOP = join(HERE, '..', '..');
const TSC = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
  /package\.json$/,
  'bin/tsc',
);

/** What the published package says otherwise than the one in the repository. */
const PUBLISHED = {
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  files: ['**/*.js', '**/*.d.ts'],
  sideEffects: false,
};

const { values } = parseArgs({ options: { out: { type: 'string', default: join(HERE, 'dist') } } });
const { out } = values;

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const compiler = [TSC, '--project', join(HERE, 'tsconfig.json'), '--noEmit', 'false', '--outDir', out];
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (status !== 0) throw new Error('the sources do not compile');
// The compiler rewrites the extensions of imports in JavaScript alone; that of declarations older compilers do not resolve.
for await (const file of glob('**/*.d.ts', { cwd: out })) {
  const declarations = await readFile(join(out, file), 'utf8');
  await writeFile(join(out, file), declarations.replaceAll(/ from '(\.[^']+)\.ts'/g, " from '$1.js'"));
}
const {
  private: _private,
  scripts: _scripts,
  ...manifest
} = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8')) as Record<string, unknown>;
await writeFile(join(out, 'package.json'), `${JSON.stringify({ ...manifest, ...PUBLISHED }, null, 2)}\n`);
await copyFile(join(HERE, 'README.md'), join(out, 'README.md'));
await copyFile(join(TOP, 'LICENSE'), join(out, 'LICENSE'));
