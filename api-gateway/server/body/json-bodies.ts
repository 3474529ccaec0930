import { MAX_OTHER_VALUES } from '@trifold/crds/limits.ts';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { LARGE_JSON } from '@trifold/platform/request-body/raw-json.ts';
import { bodyOf, separateData, type BodyReading } from '@trifold/platform/request-body/large-body.ts';
import type { ParsedJson } from '@trifold/platform/request-body/long-integers.ts';
import { InvalidJson, parseJson } from '@trifold/platform/request-body/parse-json.ts';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import type { Checks } from '@trifold/platform/templating/checking/check-messages.ts';
import type { Caller } from '../auth/caller.ts';
import { ApiError } from '../errors/api-error.ts';
import { whileConnected } from '../http/response-end.ts';

import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** `bodyFingerprint` of a large body sent with an Idempotency-Key. */
    bodyFingerprint: string | undefined;
    /** Size of the body. */
    bodyBytes: number;
  }
}

/** Whether a media type has no charset or the charset of JSON (RFC 8259, section 8.1). */
function isUtf8(mediaType = ''): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

/** Accepts uncompressed UTF-8 JSON bodies; rejects everything else. */
export const jsonBodies = fastifyPlugin(
  async (app: FastifyInstance, { pool }: { pool: CheckPool }) => {
    app.decorateRequest('bodyFingerprint', undefined);
    app.decorateRequest('bodyBytes', 0);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        request.bodyBytes = body.byteLength;
        const encoding = request.headers['content-encoding'];
        if (encoding !== undefined && encoding !== 'identity') {
          throw new ApiError(
            'unsupported_media_type',
            'The body must not be compressed. Omit Content-Encoding.',
          );
        }
        if (!isUtf8(request.headers['content-type'])) {
          throw new ApiError('unsupported_media_type', 'The body must be UTF-8. Omit the charset.');
        }
        // A route with no body or an optional body accepts an empty one with any Content-Type.
        const needsBody = requiresBody(request.routeOptions.schema);
        return body.length === 0 && !needsBody ? undefined : parse(request, body, pool);
      },
    );
  },
  { name: 'json-bodies' },
);

/**
 * Parses small bodies in this process, larger ones in a check process. A body that is large or has long integers has
 * RawJson in place of `data`, including the data of `items` and `samples`. Rejects with ApiError `invalid_json` for
 * input that is not JSON or cannot be stored as it was sent; with `body_too_large` for a large body that takes too long
 * to parse or contains too much apart from its data; or with the reason for a disconnection.
 */
async function parse(request: FastifyRequest, bytes: Buffer, pool: CheckPool): Promise<unknown> {
  const withFingerprint = request.headers['idempotency-key'] !== undefined;
  const small = bytes.byteLength <= LARGE_JSON ? parseSmall(bytes) : undefined;
  if (small?.longIntegers.length === 0) return small.value;
  const reading = small
    ? separateData(small, withFingerprint)
    : await readLarge(request, { bytes, withFingerprint }, pool);
  if (reading.status === 'too_many_values') {
    const message = `The body has more than ${MAX_OTHER_VALUES} values outside of data. Send fewer values.`;
    throw new ApiError('body_too_large', message);
  }
  if (reading.status === 'invalid') throw invalidJson(reading);
  request.bodyFingerprint = reading.fingerprint;
  return bodyOf(reading);
}

async function readLarge(
  request: FastifyRequest,
  body: Checks['body']['request'],
  pool: CheckPool,
): Promise<BodyReading> {
  // Sign-in has no caller yet; its body is too small to need a check process, which accounts share.
  const { account } = (request.caller as Caller | undefined) ?? { account: '' };
  return whileConnected(request.raw.socket, async (signal) =>
    pool.ask('body', body, { account, signal }),
  ).catch((error: unknown) => {
    throw tooLargeToParse(error) ?? error;
  });
}

function parseSmall(bytes: Buffer): ParsedJson {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw error instanceof InvalidJson ? invalidJson(error) : error;
  }
}

function invalidJson({ message, problem }: Pick<InvalidJson, 'message' | 'problem'>): ApiError {
  return new ApiError('invalid_json', message, problem && { details: [problem] });
}

/** Returns the ApiError for a body that exceeded a limit of its check process; undefined for other errors. */
function tooLargeToParse(error: unknown): ApiError | undefined {
  const exceeded = error instanceof ChildProcessError && { time_limit: 'long', out_of_memory: 'much memory' };
  const what = exceeded && exceeded[error.code as keyof typeof exceeded];
  if (!what) return undefined;
  const message = `The body takes too ${what} to parse. Send less data in one request.`;
  return new ApiError('body_too_large', message, { cause: error });
}

/** Returns the body assumed for a request without one: the `default` of the route's body schema, if any. */
export function defaultBodyOf(schema: FastifySchema | undefined): unknown {
  const { default: byDefault } = (schema?.body ?? {}) as { readonly default?: unknown };
  return structuredClone(byDefault);
}

/** Whether a request without a body is invalid. */
export function requiresBody(schema: FastifySchema | undefined): boolean {
  return schema?.body !== undefined && defaultBodyOf(schema) === undefined;
}
