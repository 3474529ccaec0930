/**
 * `npm run docs [FOLDER]`: builds the site in a folder that any web server can serve, by default docs/dist, which the
 * gateway serves under /docs/. npm runs it after `npm ci`. It does nothing after `npm ci --omit=dev`, like
 * dashboard/build.ts.
 */
import { pathToFileURL } from 'node:url';
import { compress } from '../../dashboard/compress.ts';

const [folder] = process.argv.slice(2);
const out = folder === undefined ? new URL('../dist/', import.meta.url) : pathToFileURL(`${folder}/`);

const site = await import('./site.ts').catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
  throw error;
});
if (site) {
  await site.buildSite(out);
  await compress(out);
} else {
  process.stderr.write('markdown-it is not installed: the site of docs/ is not built\n');
}
