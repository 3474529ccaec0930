import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const IMAGES = fileURLToPath(new URL('../images/', import.meta.url));
/** Maximum size of an image in the documentation. */
const MAX_BYTES = 120 * 1024;

/** Writes a PNG with at most 256 colors to docs/images/. Throws if it is still too large. */
export async function writeImage(name: string, png: Uint8Array): Promise<void> {
  const path = join(IMAGES, `${name}.png`);
  await writeFile(path, png);
  // Exit code 98: the result would be larger than the original.
  await run('pngquant', ['--force', '--skip-if-larger', '--strip', '--ext', '.png', path]).catch(
    (error: unknown) => {
      if ((error as { code?: unknown }).code !== 98) throw error;
    },
  );
  const { length } = await readFile(path);
  if (length > MAX_BYTES) throw new Error(`${name}.png has ${length} bytes; the limit is ${MAX_BYTES}`);
  process.stdout.write(`${name}.png ${Math.round(length / 1024)} KiB\n`);
}

/** Returns the pages of a PDF as PNG files. */
export async function pagesOf(pdf: Uint8Array, dotsPerInch: number): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'trifold-pages-'));
  try {
    await writeFile(join(folder, 'in.pdf'), pdf);
    await run('pdftoppm', ['-r', String(dotsPerInch), '-png', join(folder, 'in.pdf'), join(folder, 'page')]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).toSorted();
    return await Promise.all(names.map(async (name) => readFile(join(folder, name))));
  } finally {
    await rm(folder, { recursive: true });
  }
}
