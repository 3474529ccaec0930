import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

interface BuiltFilesOptions {
  /** Folder on the disk. */
  readonly root: string;
  readonly prefix: string;
  /** Whether the address of each file contains a hash of its content, so that browsers may keep it for a year. */
  readonly isHashed: boolean;
}

/** Serves the files of a build. Texts have a `.br` and a `.gz` next to them (dashboard/compress.ts). */
export async function builtFiles(
  app: FastifyInstance,
  { isHashed, ...place }: BuiltFilesOptions,
): Promise<void> {
  const caching = isHashed ? { immutable: true, maxAge: '1y' } : {};
  await app.register(fastifyStatic, { ...place, ...caching, decorateReply: false, preCompressed: true });
}

/** Returns the headers of a page that loads only what `sources` allow and that no page may frame. */
export function pageHeaders(...sources: readonly string[]): Record<string, string> {
  const rest = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return {
    'content-security-policy': ["default-src 'none'", ...sources, ...rest].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
