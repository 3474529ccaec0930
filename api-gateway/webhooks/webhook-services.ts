import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { SharedCursorSealer } from '../server/pagination/cursor-key.ts';
import { AccountEndpoint } from './settings/account-endpoint.ts';
import { Deliveries } from './deliveries/deliveries.ts';
import { DeliveryLog } from './deliveries/delivery-log.ts';
import { EndpointTests } from './endpoint-tests.ts';
import type { EndpointUrls } from './endpoint-urls.ts';
import { Hooks } from './hooks/hooks.ts';
import { SecretMaker } from './secret-maker.ts';

export interface WebhookServicesOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cursors: SharedCursorSealer;
  readonly urls: EndpointUrls;
}

/** Services of the webhook routes. */
export interface WebhookServices {
  readonly accountEndpoint: AccountEndpoint;
  /** Stop it at shutdown. */
  readonly endpointTests: EndpointTests;
  readonly hooks: Hooks;
  readonly deliveries: Deliveries;
  /** Stop it at shutdown. */
  readonly log: DeliveryLog;
}

/** Creates the services; nothing starts before its first use. */
export function createWebhookServices(options: WebhookServicesOptions): WebhookServices {
  const { kubernetes, clock, logger, cursors, urls } = options;
  const endpoints = { kubernetes, clock, urls, secrets: new SecretMaker(kubernetes) };
  const log = new DeliveryLog(kubernetes, clock, logger);
  return {
    accountEndpoint: new AccountEndpoint(endpoints),
    endpointTests: new EndpointTests(kubernetes, clock, logger),
    hooks: new Hooks(endpoints),
    deliveries: new Deliveries({ kubernetes, clock, log, cursors }),
    log,
  };
}
