/**
 * Builds the pages in `dist/`, which the gateway serves. Runs after `npm ci`. Does nothing after `npm ci --omit=dev`:
 * the build packages are not installed then, and container images include the built pages.
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
    // Warnings would report the parts of the client that only Node can use.
    logLevel: 'error',
  });
  await compress(new URL('dist/assets/', import.meta.url));
} else {
  process.stderr.write('Vite is not installed; skipping the build of @trifold/dashboard\n');
}
