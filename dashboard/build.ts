/**
 * Builds the pages in `dist/`, which the gateway serves. npm runs it after `npm ci`. It does nothing after
 * `npm ci --omit=dev`: the packages that build the pages are not installed then, and images bring the pages built.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The best quality costs twice the time and saves two in a hundred bytes. */
const QUALITY = 10;

const vite = await import('vite').catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
  throw error;
});
if (vite) {
  await vite.build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    // Warnings would tell that the client has parts that only Node can use.
    logLevel: 'error',
  });
  await compress(new URL('dist/assets/', import.meta.url));
} else {
  process.stderr.write('vite is not installed: @trifold/dashboard is not built\n');
}

/** Writes each file of a folder as `.br` and `.gz` too, for the gateway to serve. */
async function compress(folder: URL): Promise<void> {
  const names = await readdir(folder);
  const files = names.map(async (name) => {
    const file = await readFile(new URL(name, folder));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: file.length,
    };
    await writeFile(new URL(`${name}.br`, folder), await promisify(brotliCompress)(file, { params }));
    await writeFile(new URL(`${name}.gz`, folder), await promisify(gzip)(file, { level: 9 }));
  });
  await Promise.all(files);
}
