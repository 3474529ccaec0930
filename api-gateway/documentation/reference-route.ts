import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../server/http/pages.ts';
import type { ReferencePage } from './reference-page.ts';

/** The browser loads the page's script at most once a day; everything else is small. */
const SCRIPT_CACHING = 'public, max-age=86400';
const INLINE_SCRIPT = /<script(?: type="[^"]*")?>([^]*?)<\/script>/g;

/**
 * GET /docs/api/, without a key: the OpenAPI document as a page within the documentation site. The page is loaded only
 * from this service: its content security policy allows no other host. It sends no API requests, because keys do not
 * belong in a browser. It is built in a thread on the first request.
 */
export async function apiReference(app: FastifyInstance): Promise<void> {
  let made: Promise<ReferencePage> | undefined;
  const referencePage = async () => {
    made ??= makeReferencePage();
    return made;
  };
  app.get('/docs/api', async (_request, reply) => reply.redirect('/docs/api/', 302));
  app.get('/docs/api/', async (_request, reply) => {
    const { page } = await referencePage();
    return reply.headers(headersOf(page)).type('text/html; charset=utf-8').send(page);
  });
  app.get('/docs/api/js/scalar.js', async (_request, reply) => {
    const { script } = await referencePage();
    return reply
      .headers({ 'cache-control': SCRIPT_CACHING, 'x-content-type-options': 'nosniff' })
      .type('application/javascript; charset=utf-8')
      .send(script);
  });
}

async function makeReferencePage(): Promise<ReferencePage> {
  const thread = new Worker(new URL('./reference-page.ts', import.meta.url));
  const [page] = (await once(thread, 'message')) as [ReferencePage];
  return page;
}

/** The page styles its own elements, so styles need `unsafe-inline`. Its only inline script starts the page. */
function headersOf(page: string): Record<string, string> {
  const hashes = Array.from(page.matchAll(INLINE_SCRIPT), ([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
  return pageHeaders(
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src data: 'self'",
    'font-src data:',
  );
}
