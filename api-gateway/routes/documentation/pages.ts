import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '../../openapi/pages/document-model.ts';
import { documentationPage } from '../../openapi/pages/page.ts';
import { STYLE } from '../../openapi/pages/style.ts';
import type { Application } from '../../services.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing but its own style sheet; no script, no frame, no request to anywhere. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** GET /docs, for everybody: the OpenAPI document as a page for people. GET / redirects to it. */
export function documentationPages(app: Application): void {
  let page: string | undefined;
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302));
  for (const path of ['/docs', '/docs/']) {
    app.get(path, async (_request, reply) => {
      page ??= documentationPage(app.swagger() as unknown as OpenApiDocument);
      return reply.headers(HEADERS).send(page);
    });
  }
}
