import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { JsonBodies } from './json-body.ts';
import type { Caller } from '../auth/caller.ts';
import { ApiError } from '../errors/api-error.ts';
import { requiresBody } from './default-body.ts';
import { whileConnected } from '../http/disconnection.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** `bodyFingerprint` of a large body that came with an Idempotency-Key. */
    bodyFingerprint: string | undefined;
  }
}

/** Whether a media type has no charset, or the one that JSON has (RFC 8259, section 8.1). */
function isUtf8(mediaType = ''): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

/** Accepts bodies that are JSON in UTF-8 and not compressed; rejects everything else. */
export const jsonBodies = fastifyPlugin(
  async (app: FastifyInstance, { bodies }: { bodies: JsonBodies }) => {
    app.decorateRequest('bodyFingerprint', undefined);
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
        // A route without a body, or with an optional one, accepts an empty one, whatever its Content-Type.
        const needsBody = requiresBody(request.routeOptions.schema);
        return body.length === 0 && !needsBody ? undefined : parse(request, body, bodies);
      },
    );
  },
  { name: 'json-bodies' },
);

async function parse(request: FastifyRequest, body: Buffer, bodies: JsonBodies): Promise<unknown> {
  const { headers, raw } = request;
  // Sign-in has no caller yet; its body is too small for a check process, which accounts share.
  const { account } = (request.caller as Caller | undefined) ?? { account: '' };
  const withFingerprint = headers['idempotency-key'] !== undefined;
  const { value, fingerprint } = await whileConnected(raw.socket, async (signal) =>
    bodies.parse(body, { account, signal, withFingerprint }),
  );
  request.bodyFingerprint = fingerprint;
  return value;
}
