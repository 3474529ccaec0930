import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * Builds the pages. Without the options, npm skips development packages (`NODE_ENV=production`) or the build itself
 * (`ignore-scripts`) if it is configured to.
 */
export const BUILD_COMMAND = 'npm ci --include=dev --ignore-scripts=false';

interface BuiltFilesOptions {
  /** Directory on disk. */
  readonly root: string;
  readonly prefix: string;
  /** Whether the URL of each file contains a hash of its content, so that browsers may cache it for a year. */
  readonly isHashed: boolean;
}

/** Serves the files of a build. Text files have a `.br` and a `.gz` file next to them (dashboard/compress.ts). */
export async function builtFiles(
  app: FastifyInstance,
  { isHashed, ...place }: BuiltFilesOptions,
): Promise<void> {
  const caching = isHashed ? { immutable: true, maxAge: '1y' } : {};
  await app.register(fastifyStatic, { ...place, ...caching, decorateReply: false, preCompressed: true });
}

/** Returns the headers for a page that loads only what `sources` allow and cannot be framed. */
export function pageHeaders(...sources: readonly string[]): Record<string, string> {
  const rest = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return {
    'content-security-policy': ["default-src 'none'", ...sources, ...rest].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
