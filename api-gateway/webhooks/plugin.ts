import type { FastifyPluginAsync } from 'fastify';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { PublishedKeyName } from '@trifold/platform/records/webhooks/published-key.ts';
import { Deliveries } from './deliveries/deliveries.ts';
import { DeliveryLog } from './deliveries/delivery-log.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { EndpointTests } from './endpoint-tests.ts';
import type { EndpointUrls } from './endpoint-urls.ts';
import { Hooks } from './hooks/hooks.ts';
import { hookRoutes } from './hooks/routes.ts';
import { SecretSealer } from './secret-sealer.ts';
import { AccountEndpoint } from './settings/account-endpoint.ts';
import { settingsRoutes } from './settings/routes.ts';

export interface WebhooksOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly urls: EndpointUrls;
  /** The ConfigMap that holds the key for sealing signing secrets. */
  readonly publishedKey: PublishedKeyName;
  /** Ends endpoint tests. */
  readonly stopping: AbortSignal;
}

/** Account webhooks, the delivery log, and hooks. */
export const webhooks: FastifyPluginAsync<WebhooksOptions> = async (app, options) => {
  const { kubernetes, clock, logger, urls, publishedKey, stopping } = options;
  const endpoints = { kubernetes, clock, urls, secrets: new SecretSealer(kubernetes, publishedKey) };
  const accountEndpoint = new AccountEndpoint(endpoints);
  const endpointTests = new EndpointTests(kubernetes, clock, logger);
  stopping.addEventListener('abort', () => endpointTests.cancelAll());
  await app.register(settingsRoutes, { accountEndpoint, endpointTests });
  const log = new DeliveryLog(kubernetes, clock, logger);
  app.addHook('onClose', async () => {
    endpointTests.cancelAll();
    await log.stop();
  });
  const deliveries = new Deliveries({ kubernetes, clock, log });
  await app.register(deliveryRoutes, { deliveries });
  await app.register(hookRoutes, { hooks: new Hooks(endpoints) });
};
