/**
 * `node renderer/main.ts`: one renderer in a cluster. Uses Redis, and its tasks' objects without credentials, but not
 * Kubernetes.
 */
import { systemClock } from '@trifold/platform/async/clock.ts';
import { warnOfUnknownSettings } from '@trifold/platform/settings/read-settings.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { PresignedObjects } from '@trifold/platform/object-store/s3/presigned-objects.ts';
import { OperationsServer } from '@trifold/platform/process/operations-server.ts';
import { aborted, runService, stopSignal } from '@trifold/platform/process/service-process.ts';
import { PreviewServer } from '@trifold/platform/previews/http/preview-server.ts';
import { BullMqQueue } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { loadRendererProcessConfig } from './config.ts';
import { Renderer } from './renderer.ts';

/** Milliseconds allowed for closing the browsers and connections after the drain. */
const END_MS = 8_000;

async function main(): Promise<void> {
  const config = loadRendererProcessConfig(process.env);
  const clock = systemClock;
  const logger = createLogger({ level: config.service.logLevel, name: 'trifold-renderer' });
  warnOfUnknownSettings(process.env, logger);
  const stopping = stopSignal(logger, { timeoutMs: config.drainWaitMs + END_MS });
  const metrics = new Metrics();
  metrics.collectProcess();
  const objects = new PresignedObjects(config.renderer.proxies);
  const { redis, taskKeys } = config;
  const queue = new BullMqQueue({ redis, taskKeys, metrics, clock, logger });
  const renderer = new Renderer({
    queue,
    storeOf: ({ presigned = [] }) => objects.open(presigned),
    clock,
    logger,
    config: config.renderer,
    metrics,
    previewBrowser: config.previews !== undefined,
  });
  const operations = await OperationsServer.listen({
    host: config.service.host,
    port: config.operations.operationsPort,
    clock,
    logger,
    metrics,
    live: [{ name: 'renderer', check: async () => failOn(renderer.stuck()) }],
    ready: [
      { name: 'browsers', check: async () => failOn(renderer.ready ? undefined : 'no browser is ready') },
      { name: 'render-queue', check: () => queue.check() },
    ],
  });
  // Stopping during startup makes it reject; ignore that.
  const started = renderer.start().then(
    () => void renderer.warnOfMissingScripts(),
    (error: unknown) => {
      if (!stopping.aborted) throw error;
    },
  );
  await Promise.race([started, aborted(stopping)]);
  const { host } = config.service;
  const previews =
    config.previews && !stopping.aborted
      ? await PreviewServer.listen({ ...config.previews, host, renderer: renderer.previews, clock, logger })
      : undefined;
  await aborted(stopping);
  await previews?.close();
  await renderer.stop(config.drainWaitMs);
  await queue.close();
  objects.close();
  await operations.close();
  logger.info('stopped');
}

function failOn(reason: string | undefined): void {
  if (reason !== undefined) throw new Error(reason);
}

await runService('trifold-renderer', main);
