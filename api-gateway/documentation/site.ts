import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { BUILD_COMMAND, builtFiles, pageHeaders } from '../server/http/pages.ts';
import { routeNotFound } from '../server/http/unknown-routes.ts';

/** Built by `npm run docs`. */
const BUILT = fileURLToPath(new URL('../../docs/dist/', import.meta.url));

const HEADERS = pageHeaders(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
);

/**
 * GET /docs/ and below, without a key: the documentation. GET / redirects to it. Without a build, only the API
 * reference is served (reference-route.ts).
 */
export async function documentationSite(app: FastifyInstance, { logger }: { logger: Logger }): Promise<void> {
  for (const path of ['/', '/docs']) app.get(path, async (_request, reply) => reply.redirect('/docs/', 302));
  const missing = await readFile(`${BUILT}404.html`, 'utf8').catch((err: unknown) => {
    logger.warn({ err }, `the documentation is not built, so it is not served: run ${BUILD_COMMAND}`);
    return undefined;
  });
  if (missing === undefined) app.get('/docs/', async (_request, reply) => reply.redirect('/docs/api/', 302));
  else await app.register(sitePages, { prefix: '/docs', missing });
}

async function sitePages(app: FastifyInstance, { missing }: { missing: string }): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(HEADERS);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) throw routeNotFound(request);
    return reply.code(404).type('text/html; charset=utf-8').send(missing);
  });
  await builtFiles(app, { root: `${BUILT}assets`, prefix: '/assets/', isHashed: true });
  await builtFiles(app, { root: BUILT, prefix: '/', isHashed: false });
}
