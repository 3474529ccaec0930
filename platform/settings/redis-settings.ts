import type { Settings } from './setting.ts';
import { redisPrefix } from './setting-forms.ts';
import { redisAddress, REDIS_URL_FORM } from './redis-address.ts';
import { anyText } from './setting-types.ts';

/** Settings for the render queue and rate limits. */
export const RENDER_QUEUE = {
  TRIFOLD_REDIS_URL: {
    type: redisAddress,
    common: true,
    required: REDIS_URL_FORM,
    doc: '`redis://host[:port][/database]` for one server, `redis+sentinel://host[:port][,host[:port]…]/master[/database]` for the master that Sentinels name, or `redis+cluster://host[:port][,host[:port]…]` for a Redis Cluster; without credentials. `rediss` in place of `redis` uses TLS (`NODE_EXTRA_CA_CERTS` names additional certificate authorities).',
    computedFrom: 'redis.external.url',
  },
  TRIFOLD_REDIS_USERNAME: {
    type: anyText,
    shown: '`default`',
    doc: 'Redis user; requires a password.',
    computedFrom: 'redis.external.username',
  },
  TRIFOLD_REDIS_PASSWORD: {
    type: anyText,
    common: true,
    doc: "The user's password; never printed.",
    computedFrom: 'redis.external.existingSecret',
  },
  TRIFOLD_REDIS_SENTINEL_USERNAME: {
    type: anyText,
    shown: '`default`',
    doc: 'Sentinel user; requires a password.',
    computedFrom: 'redis.external.sentinelUsername',
  },
  TRIFOLD_REDIS_SENTINEL_PASSWORD: {
    type: anyText,
    doc: 'Sentinel password, if there is one; never printed.',
    computedFrom: 'redis.external.sentinelPasswordKey',
  },
  TRIFOLD_REDIS_PREFIX: {
    type: redisPrefix,
    default: 'trifold',
    doc: 'Prefix for all keys in Redis, so that several installations can share one Redis. In a Redis Cluster, Trifold encloses the prefix in braces as a hash tag, which keeps all keys on one server. For a managed Redis that has several shards behind one address, set the braces yourself: `{trifold}`.',
    chart: { value: 'redis.prefix' },
  },
} as const satisfies Settings;
