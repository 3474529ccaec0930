import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { parseJsonBody } from '../body/json-body.ts';
import { ApiError } from '../errors/api-error.ts';

/** Whether a media type names no encoding, or the one that JSON has (RFC 8259, section 8.1). */
function isUtf8(mediaType = ''): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

/** Bodies are JSON, in UTF-8, not compressed; everything else is refused. */
export const jsonBodies = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        const encoding = request.headers['content-encoding'];
        if (encoding !== undefined && encoding !== 'identity') {
          throw new ApiError(
            'unsupported_media_type',
            'The body must not be compressed: leave Content-Encoding out.',
          );
        }
        if (!isUtf8(request.headers['content-type'])) {
          throw new ApiError('unsupported_media_type', 'The body must be in UTF-8: leave the charset out.');
        }
        // A route that takes none needs none, whatever type its client says an empty body has.
        const needsBody = request.routeOptions.schema?.body !== undefined;
        return body.length === 0 && !needsBody ? undefined : parseJsonBody(body);
      },
    );
  },
  { name: 'json-bodies' },
);
