import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Shows HTML that its parent sends. A parsed document runs no scripts when it is adopted. The elements removed here
 * could make the frame navigate or send requests that no policy covers, such as a refresh or a preconnect. Links
 * inside the document work; others do nothing.
 */
const SCRIPT = `'use strict';
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'string') return;
  const shown = new DOMParser().parseFromString(data, 'text/html').documentElement;
  for (const element of shown.querySelectorAll('script, link, base, meta[http-equiv]')) element.remove();
  const { scrollX, scrollY } = window;
  document.replaceChild(document.adoptNode(shown), document.documentElement);
  scrollTo(scrollX, scrollY);
});
addEventListener('click', (event) => {
  const link = event.target.closest('a, area');
  if (link && !link.getAttribute('href')?.startsWith('#')) event.preventDefault();
}, true);
`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title><script>${SCRIPT}</script></head><body></body></html>`;

/** The hash allows this script only: none of the shown document, and no event handler in it. */
const POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * GET /dashboard/frame: an empty page in which the dashboard shows HTML of documents and emails. The `sandbox` of its
 * policy gives it an origin of its own, so that the HTML reaches neither the dashboard nor the session. A `srcdoc` frame
 * would inherit the policy of the dashboard, which forbids the inline styles of documents.
 */
export function frameRoute(app: FastifyInstance): void {
  app.get('/dashboard/frame', async (_request, reply) =>
    reply
      .header('content-security-policy', POLICY)
      .header('x-dns-prefetch-control', 'off')
      .header('cache-control', 'no-cache')
      .type('text/html')
      .send(PAGE),
  );
}
