import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { RedisClient } from '@trifold/platform/redis/redis-client.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RateLimit } from '@trifold/platform/settings/setting-forms.ts';

/** Timeout for a command that counts a request, in milliseconds. A request that Redis cannot count is admitted. */
export const COUNT_TIMEOUT_MS = 250;

/** Redis that all gateways use for counting. */
export interface RateLimitRedis {
  readonly client: RedisClient;
  /** Prefix of every key. */
  readonly prefix: string;
}

/**
 * Counts each key's requests on the routes registered in the same context, and rejects those over the limit before
 * their body is read. The headers follow draft-ietf-httpapi-ratelimit-headers-06, the last version with one header per
 * value. Register this plugin after authentication, which sets the caller.
 */
export const rateLimiting = fastifyPlugin(
  async (
    app: FastifyInstance,
    { limit, redis }: { limit: RateLimit; redis?: RateLimitRedis | undefined },
  ) => {
    const windowSeconds = limit.windowMs / 1000;
    const policy = `${limit.requests};w=${windowSeconds}`;
    app.addHook('onRequest', async (_request, reply) => void reply.header('ratelimit-policy', policy));
    await app.register(fastifyRateLimit, {
      max: limit.requests,
      timeWindow: limit.windowMs,
      keyGenerator: ({ caller }) => `${caller.account}/${caller.keyId}`,
      ...(redis && { redis: redis.client.commands, nameSpace: `${redis.prefix}:rate:` }),
      skipOnError: true,
      enableDraftSpec: true,
      errorResponseBuilder: (_request, { ttl }) => {
        const waitSeconds = Math.max(1, Math.ceil(ttl / 1000));
        const message = `The API key has reached its limit of ${limit.requests} requests in ${windowSeconds} s. Send the request again in ${waitSeconds} s.`;
        return new ApiError('rate_limited', message, { headers: { 'retry-after': String(waitSeconds) } });
      },
    });
  },
  { name: 'rate-limiting', dependencies: ['authentication'] },
);
