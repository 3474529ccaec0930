import { spawnSync } from 'node:child_process';
import { copyFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Compiles the package in a folder to JavaScript and declarations in its `dist/`, or in the directory that the command's
 * `--out` names, and adds the license. `generate` writes sources first.
 */
export async function buildPackage(folder: URL, generate = async () => {}): Promise<void> {
  const here = fileURLToPath(folder);
  const dist = parseArgs({ options: { out: { type: 'string', default: join(here, 'dist') } } }).values.out;
  const tsc = compiler();
  if (tsc === undefined) return;
  await generate();
  await rm(dist, { recursive: true, force: true });
  const project = join(here, 'tsconfig.json');
  const options = ['--project', project, '--noEmit', 'false', '--outDir', dist];
  const { status } = spawnSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the sources do not compile');
  // The compiler rewrites import extensions only in JavaScript, and older compilers do not resolve `.ts`.
  for await (const file of glob('**/*.d.ts', { cwd: dist })) {
    const declarations = await readFile(join(dist, file), 'utf8');
    await writeFile(join(dist, file), declarations.replaceAll(/ from '(\.[^']+)\.ts'/g, " from '$1.js'"));
  }
  await copyFile(join(ROOT, 'LICENSE'), join(here, 'LICENSE'));
}

/** Undefined if `npm ci --omit=dev` omitted the compiler: the services do not need the packages. */
function compiler(): string | undefined {
  try {
    const manifest = createRequire(join(ROOT, 'package.json')).resolve('typescript/package.json');
    return manifest.replace(/package\.json$/, 'bin/tsc');
  } catch {
    process.stderr.write('TypeScript is not installed; skipping the build of the package\n');
    return undefined;
  }
}
