import { createHash } from 'node:crypto';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

const DOCUMENT = '/v1/openapi.json';
/** The browser loads the script of the page at most once a day; everything else is small. */
const SCRIPT_CACHING = 'public, max-age=86400';
const INLINE_SCRIPT = /<script(?: type="[^"]*")?>([^]*?)<\/script>/g;

/**
 * GET /docs, without a key: the OpenAPI document as a page. GET / redirects to it. The page comes from this service
 * only: its content security policy allows no other host. It sends no request to the API, because keys do not belong in
 * a browser.
 */
export async function documentationPages(app: FastifyInstance): Promise<void> {
  app.get('/', async (_request, reply) => reply.redirect('/docs/', 302));
  await app.register(async (scope) => {
    scope.addHook('onRequest', async ({ headers }) => {
      // The page's plugin builds a URL from the Host header.
      if (!URL.canParse(`http://${headers.host ?? 'localhost'}`)) {
        throw new ApiError('invalid_request', 'The Host header does not name a host.');
      }
    });
    scope.addHook('onSend', async (request, reply, payload) => {
      if (request.url.endsWith('.js')) reply.header('cache-control', SCRIPT_CACHING);
      else if (typeof payload === 'string') reply.headers(pageHeaders(payload));
      reply.header('x-content-type-options', 'nosniff');
      return payload;
    });
    await scope.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: DOCUMENT,
        pageTitle: 'Trifold API',
        hideClientButton: true,
        hideTestRequestButton: true,
        showDeveloperTools: 'never',
        telemetry: false,
        withDefaultFonts: false,
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
  });
}

/** The page styles its own elements, so styles need `unsafe-inline`. It runs one inline script, which starts it. */
function pageHeaders(page: string): Record<string, string> {
  const hashes = Array.from(page.matchAll(INLINE_SCRIPT), ([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src data: 'self'",
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { 'content-security-policy': policy.join('; '), 'referrer-policy': 'no-referrer' };
}
