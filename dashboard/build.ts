/**
 * Builds the pages in `dist/`, which the gateway serves. npm runs it after `npm ci`. It does nothing after
 * `npm ci --omit=dev`: the packages that build the pages are not installed then, and images bring the pages built.
 */
import { fileURLToPath } from 'node:url';
import { compress } from './compress.ts';

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
