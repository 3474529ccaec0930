import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiError } from '../errors/api-error.ts';
import type { RateLimit, RateLimiter } from './rate-limit.ts';

export interface RateLimitingOptions {
  readonly limit: RateLimit;
  readonly limiter: RateLimiter;
}

/**
 * Counts the requests of each key on the routes registered beside it, and rejects those over the limit before their
 * body is read. The headers are those of draft-ietf-httpapi-ratelimit-headers-06, the last version with a header for
 * each value. Register it after authentication, which sets the caller.
 */
export const rateLimiting = fastifyPlugin(
  async (app: FastifyInstance, { limit, limiter }: RateLimitingOptions) => {
    const windowSeconds = limit.windowMs / 1000;
    const constant = {
      'ratelimit-limit': String(limit.requests),
      'ratelimit-policy': `${limit.requests};w=${windowSeconds}`,
    };
    app.addHook('onRequest', async (request, reply) => {
      const { account, keyId } = request.caller;
      const { allowed, remaining, resetMs } = await limiter.take(`${account}/${keyId}`);
      const resetSeconds = Math.ceil(resetMs / 1000);
      reply.headers({
        ...constant,
        'ratelimit-remaining': String(remaining),
        'ratelimit-reset': String(resetSeconds),
      });
      if (allowed) return;
      const waitSeconds = Math.max(1, resetSeconds);
      const message = `An API key may send ${limit.requests} requests in ${windowSeconds} s, and this one has. Send the request again in ${waitSeconds} s.`;
      throw new ApiError('rate_limited', message, { headers: { 'retry-after': String(waitSeconds) } });
    });
  },
  { name: 'rate-limiting', dependencies: ['authentication'] },
);
