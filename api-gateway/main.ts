/** `node api-gateway/main.ts`: runs one gateway of a cluster. */
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { readKubeConfig } from '@trifold/platform/service/kube-config.ts';
import { warnOfUnknownSettings } from '@trifold/platform/service/config.ts';
import { createLogger, type Logger } from '@trifold/platform/service/logging.ts';
import { Metrics } from '@trifold/platform/service/metrics.ts';
import { S3Store } from '@trifold/platform/object-store/s3/s3-store.ts';
import { aborted, runService, stopSignal, untilDone } from '@trifold/platform/service/service-process.ts';
import { loadGatewayProcessConfig, type GatewayProcessConfig } from './config.ts';
import { createGateway } from './gateway.ts';
import { RedisRateLimiter } from './server/rate-limit/redis-rate-limiter.ts';

/** Time for cleanup after the last answer. */
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
  const limiter = limiterOf(config, logger);
  const checkPool = new CheckPool();
  const gateway = await createGateway({
    kubernetes: new KubernetesClient(transport),
    store,
    checkPool,
    clock: systemClock,
    logger,
    config: config.gateway,
    metrics,
    ...(limiter && { limiter }),
  });
  // Listens immediately, so that its probes report what it waits for. Requests are answered 503 until it has started.
  const address = await gateway.app.listen({ host: config.service.host, port: config.port });
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
  limiter?.close();
  store.close();
  transport.close();
  logger.info('stopped');
}

function limiterOf(
  { gateway: { rateLimit: limit }, redis }: GatewayProcessConfig,
  logger: Logger,
): RedisRateLimiter | undefined {
  if (limit && !redis) {
    logger.warn('TRIFOLD_REDIS_URL is not set: every gateway counts the requests of a key for itself');
  }
  return limit && redis && new RedisRateLimiter({ redis, limit, clock: systemClock, logger });
}

await runService('trifold-gateway', main);
