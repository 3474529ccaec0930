import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { parseJsonBody } from '../body/json-body.ts';
import { ApiError } from '../errors/api-error.ts';

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
        // A DELETE needs none, whatever type its client says an empty body has.
        return body.length === 0 && request.method === 'DELETE' ? undefined : parseJsonBody(body);
      },
    );
  },
  { name: 'json-bodies' },
);
