/** `node api-gateway/main.ts`: runs one gateway of a cluster. */
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { readKubeConfig } from '@trifold/platform/kubernetes/client/kube-config.ts';
import { warnOfUnknownSettings } from '@trifold/platform/settings/read-settings.ts';
import { listenHost } from '@trifold/platform/process/listen-host.ts';
import { createLogger, type Logger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { HttpPreviews } from '@trifold/platform/previews/http/http-previews.ts';
import { RedisClient } from '@trifold/platform/redis/redis-client.ts';
import { RedisOutages } from '@trifold/platform/redis/redis-outages.ts';
import { S3Store } from '@trifold/platform/object-store/s3/s3-store.ts';
import { aborted, runService, stopSignal, untilDone } from '@trifold/platform/process/service-process.ts';
import { loadGatewayProcessConfig, type GatewayProcessConfig } from './config.ts';
import { createGateway } from './gateway.ts';
import { COUNT_TIMEOUT_MS, type RateLimitRedis } from './server/rate-limit/rate-limiting.ts';

/** Time for cleanup after the last response. */
const END_MS = 5_000;

async function main(): Promise<void> {
  const config = loadGatewayProcessConfig(process.env);
  const logger = createLogger({ level: config.service.logLevel, name: 'trifold-gateway' });
  warnOfUnknownSettings(process.env, logger);
  const { closeWaitMs } = config.gateway;
  const stopping = stopSignal(logger, { timeoutMs: config.closeDelayMs + closeWaitMs + END_MS });
  const transport = new HttpTransport(readKubeConfig(), { userAgent: 'trifold-gateway' });
  const metrics = new Metrics();
  metrics.collectProcess();
  const store = new S3Store(config.store, { logger });
  const rateLimitRedis = rateLimitRedisOf(config, logger);
  const checkPool = new CheckPool();
  const gateway = await createGateway({
    kubernetes: new KubernetesClient(transport),
    store,
    checkPool,
    clock: systemClock,
    logger,
    config: config.gateway,
    metrics,
    rateLimitRedis,
    previewRenderer: config.previews && new HttpPreviews({ ...config.previews, clock: systemClock, logger }),
  });
  // Listens immediately, so that the probes can report what the gateway is waiting for. Requests get 503 until it has
  // started.
  const address = await gateway.app.listen({ host: listenHost(config.service.host), port: config.port });
  logger.info({ address }, 'listening');
  const start = async () => {
    await untilDone('prepare the object store', () => store.prepare(), { logger, signal: stopping });
    await gateway.start();
    logger.info('serving');
  };
  const started = start().catch((error: unknown) => {
    if (!stopping.aborted) throw error;
  });
  await Promise.race([started, aborted(stopping)]);
  await aborted(stopping);
  gateway.retire();
  await systemClock.sleep(config.closeDelayMs);
  await gateway.close();
  await checkPool.stop();
  rateLimitRedis?.client.close();
  store.close();
  transport.close();
  logger.info('stopped');
}

function rateLimitRedisOf(
  { gateway: { rateLimit }, redis }: GatewayProcessConfig,
  logger: Logger,
): RateLimitRedis | undefined {
  if (rateLimit && !redis) {
    logger.warn('TRIFOLD_REDIS_URL is not set: each gateway counts requests per key separately');
  }
  if (!rateLimit || !redis) return undefined;
  const options = {
    name: 'trifold-rate-limit',
    commandMs: COUNT_TIMEOUT_MS,
    outages: new RedisOutages(systemClock, logger),
    clock: systemClock,
  };
  return { client: new RedisClient(redis, options), prefix: redis.prefix };
}

await runService('trifold-gateway', main);
