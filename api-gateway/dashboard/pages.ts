import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { OidcConfig } from '../sessions/oidc/oidc-config.ts';
import { BUILD_COMMAND, builtFiles, pageHeaders } from '../server/http/pages.ts';
import { frameRoute } from './frame.ts';

/** Built by `npm run build --workspace @trifold/dashboard`. */
const BUILT = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url));

const NOT_BUILT = `the dashboard is not built, so it is not served: run ${BUILD_COMMAND}, and restart the service`;

/** Replaced with a nonce in each response (dashboard/vite.config.ts). */
const NONCE = /CSP_NONCE/g;

export interface DashboardPagesOptions {
  readonly logger: Logger;
  /** Whether sign-in links work. */
  readonly hasLinks: boolean;
  readonly oidc: Pick<OidcConfig, 'issuer' | 'publicUrl'> | undefined;
  /** Directory with the built pages. @default the repository's */
  readonly directory?: string;
}

/**
 * GET /dashboard/ and below, without a key: the dashboard's pages. Every path serves the same document, whose
 * scripts show the page for the path. Everything is loaded from this service: the policy allows no other host.
 */
export async function dashboardPages(app: FastifyInstance, options: DashboardPagesOptions): Promise<void> {
  const { logger, directory = BUILT } = options;
  const built = await readFile(`${directory}index.html`, 'utf8').catch((err: unknown) => {
    logger.warn({ err }, NOT_BUILT);
    return undefined;
  });
  if (built === undefined) return unbuiltPages(app);
  const page = built.replace('SIGN_IN_OPTIONS', () => signInOptions(options));

  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
  await builtFiles(app, { root: `${directory}assets`, prefix: '/dashboard/assets/', isHashed: true });
  const icon = await readFile(`${directory}favicon.svg`);
  app.get('/dashboard/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(icon));
  frameRoute(app);
  app.get('/dashboard', async (_request, reply) => reply.redirect('/dashboard/', 302));
  app.get('/dashboard/*', async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers(headersWith(nonce))
      .header('cache-control', 'no-cache')
      .type('text/html')
      .send(page.replace(NONCE, nonce));
  });
}

/** Tells the user who opens the dashboard what is missing. */
function unbuiltPages(app: FastifyInstance): void {
  for (const path of ['/dashboard', '/dashboard/*']) {
    app.get(path, async (_request, reply) => reply.code(404).type('text/plain').send(`${NOT_BUILT}\n`));
  }
}

/**
 * Returns the sign-in methods that the page offers in addition to keys, as an attribute value
 * (dashboard/session/options.ts).
 */
function signInOptions({ hasLinks, oidc }: DashboardPagesOptions): string {
  const provider = oidc && {
    name: oidc.issuer.host,
    url: new URL('/dashboard/sign-in', oidc.publicUrl).href,
  };
  return JSON.stringify({ links: hasLinks, provider }).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** The editor inserts style elements that carry the nonce. Previews and downloads are `blob:` and `data:` images. */
function headersWith(nonce: string): Record<string, string> {
  return pageHeaders(
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
  );
}
