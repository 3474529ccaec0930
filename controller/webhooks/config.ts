import { SPOOLED_EVENT_LIFETIME_MS } from '@trifold/crds/retention.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { readSettings, readTogether, type Environment } from '@trifold/platform/settings/read-settings.ts';
import { loadOutboundConfig } from '@trifold/platform/outbound/outbound-config.ts';
import { loadProxies } from '@trifold/platform/outbound/proxies.ts';
import { MAX_ENDPOINT_ATTEMPTS } from '@trifold/platform/settings/webhook-settings.ts';

/**
 * Limits beyond which events wait in the object store. 5,000 pending deliveries take about 10 MiB in the API server.
 * Three days are about twice the retry schedule: an event spooled behind deliveries that all fail at the end of the
 * schedule still gets its turn.
 */
export const SPOOL_LIMITS = {
  /** Maximum number of pending deliveries to one destination; further events to it are spooled. */
  maxPending: BOUNDS.pendingDeliveries.limit.value as number,
  /**
   * Maximum number of an account's pending deliveries; beyond it, further events to a destination that has used its
   * share are spooled.
   */
  maxOfAccount: BOUNDS.accountDeliveries.limit.value as number,
  /** Pending deliveries that a destination may always have, however many the account has. */
  share: 100,
  /** Number of pending deliveries below which spooled events become deliveries again, up to the maximum. */
  refillBelow: 4_000,
  /** Retention of a spooled event, counted from the time of the event, in milliseconds. */
  keepMs: SPOOLED_EVENT_LIFETIME_MS,
};
export type SpoolLimits = Readonly<typeof SPOOL_LIMITS>;

/** Configuration of webhook delivery. Durations are in milliseconds. */
export type WebhooksConfig = ReturnType<typeof loadWebhooksConfig>;

/** Reads the delivery settings. Pure; the result is frozen. Throws ConfigError with all problems. */
export function loadWebhooksConfig(environment: Environment) {
  const [outbound, proxies, { key, previousKey, ...own }] = readTogether([
    () => loadOutboundConfig(environment),
    () => loadProxies(environment),
    () =>
      readSettings(environment, {
        key: 'TRIFOLD_WEBHOOK_KEY',
        previousKey: 'TRIFOLD_WEBHOOK_PREVIOUS_KEY',
        publishedKey: 'TRIFOLD_WEBHOOK_KEY_CONFIG_MAP',
        retrySchedule: 'TRIFOLD_WEBHOOK_RETRY_SCHEDULE',
        concurrency: 'TRIFOLD_WEBHOOK_CONCURRENCY',
        keepDeliveredMs: 'TRIFOLD_WEBHOOK_KEEP_DELIVERED',
        keepFailedMs: 'TRIFOLD_WEBHOOK_KEEP_FAILED',
      }),
  ]);
  /** Secrets with the key pairs that open the endpoints' signing secrets, newest first. */
  const keys: readonly string[] = [key, previousKey].filter((text) => text !== undefined);
  return Object.freeze({
    ...outbound,
    ...own,
    endpointConcurrency: MAX_ENDPOINT_ATTEMPTS,
    proxies,
    keys,
    spool: SPOOL_LIMITS,
  });
}
