import { randomUUID } from 'node:crypto';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { clockAdvice, IGNORES_CONDITIONS } from '@trifold/platform/object-store/s3/s3-advice.ts';
import { loadS3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import { S3Store } from '@trifold/platform/object-store/s3/s3-store.ts';
import { proxiedFetch } from '@trifold/platform/outbound/proxied-fetch.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { hasAppendOnlyFile, redisAdvice, redisVersion } from '@trifold/platform/redis/redis-advice.ts';
import { RedisClient } from '@trifold/platform/redis/redis-client.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { RedisError, RedisOutages } from '@trifold/platform/redis/redis-outages.ts';
import type { Environment } from '@trifold/platform/settings/read-settings.ts';
import { NotConfigured, Warning, type Check, type Machine } from './check.ts';

const CONNECT_MS = 5000;
const NO_RESPONSE = 'see object-store';

const logger = createLogger({ level: 'silent', name: 'trifold' });

/** Redis and the object store of a cluster installation. */
export const STORE_CHECKS: readonly Check[] = [
  {
    name: 'redis',
    remedy: 'check TRIFOLD_REDIS_URL, TRIFOLD_REDIS_USERNAME, TRIFOLD_REDIS_PASSWORD, and firewalls',
    run: redis,
  },
  {
    name: 'object-store',
    remedy:
      'check the TRIFOLD_S3_… settings and the permissions of the credentials (docs/run/object-store.md)',
    run: objectStore,
  },
  {
    name: 'clock',
    remedy: 'correct the clock of this machine or of the store (NTP)',
    run: clock,
  },
];

async function redis({ environment }: Machine): Promise<string> {
  requireSetting(environment, 'TRIFOLD_REDIS_URL');
  const outages = new RedisOutages(systemClock, logger);
  const client = new RedisClient(loadRedisConfig(environment), {
    name: 'trifold-doctor',
    outages,
    clock: systemClock,
  });
  const failed = new Promise<unknown>((resolve) => client.commands.once('error', resolve));
  try {
    const ready = client
      .isReady(CONNECT_MS)
      .then((isReady) => (isReady ? undefined : new Error('no response')));
    const failure = await Promise.race([ready, failed]);
    if (failure !== undefined) {
      throw new Error(`Redis cannot be reached: ${new RedisError(failure).message}`);
    }
    return redisDetail(await client.commands.info());
  } finally {
    client.close();
  }
}

function redisDetail(info: string): string {
  const [advice] = redisAdvice(info);
  if (advice) throw new Warning(advice.problem, advice.remedy);
  if (hasAppendOnlyFile(info) === false) {
    const remedy = 'set appendonly to yes; without it, the controller queues unfinished documents again';
    throw new Warning('Redis has no append-only file, so a restart loses the queue', remedy);
  }
  return `Redis ${redisVersion(info)} does not evict keys`;
}

/** Uses an object as the services do. Unlike them, it does not create the bucket. */
async function objectStore({ environment }: Machine): Promise<string> {
  requireSetting(environment, 'TRIFOLD_S3_ENDPOINT');
  const config = loadS3Config(environment);
  const store = new S3Store(config, { logger });
  try {
    await store.check();
    await useObject(store, `doctor/${randomUUID()}/`);
    return `the bucket ${config.bucket} can be read, listed and written, including conditionally`;
  } finally {
    store.close();
  }
}

async function useObject(store: S3Store, folder: string): Promise<void> {
  const key = `${folder}object`;
  await store.put(key, 'first', { ifAbsent: true });
  const { created } = await store.put(key, 'second', { ifAbsent: true });
  const content = await store.read(key);
  const { objects } = await store.list(folder);
  await store.delete(key);
  if (created) throw new Error(IGNORES_CONDITIONS);
  if (content?.toString() !== 'first' || objects.length !== 1) {
    throw new Error('the store does not return what was written');
  }
}

async function clock({ environment }: Machine): Promise<string> {
  requireSetting(environment, 'TRIFOLD_S3_ENDPOINT');
  const { endpoint, proxies } = loadS3Config(environment);
  const signal = AbortSignal.timeout(CONNECT_MS);
  const request = { method: 'HEAD', redirect: 'manual', signal } as const;
  const response = await proxiedFetch(proxies)(endpoint, request).catch((cause: unknown) => {
    throw new Warning('cannot be compared: the object store does not respond', NO_RESPONSE, cause);
  });
  // Any response has the time, even one that rejects the request.
  const advice = clockAdvice(response.headers.get('date') ?? '');
  if (advice !== undefined) throw new Error(advice);
  return "agrees with the object store's clock";
}

function requireSetting(environment: Environment, name: string): void {
  if (!environment[name]) throw new NotConfigured(`${name} is not set`);
}
