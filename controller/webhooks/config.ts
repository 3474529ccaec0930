import {
  duration,
  readSettings,
  readTogether,
  secretText,
  wholeNumber,
  within,
  type Environment,
} from '@trifold/platform/service/config.ts';
import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { retrySchedule } from './retry-schedule.ts';
import { loadOutboundConfig, type OutboundConfig } from '@trifold/platform/outbound/outbound-config.ts';
import { publishedKeyName, type PublishedKeyName } from '@trifold/platform/records/webhooks/published-key.ts';

/** Configuration of webhook delivery. Durations are in milliseconds. */
export interface WebhooksConfig extends OutboundConfig {
  /** Wait before each attempt, counted from the previous one. TRIFOLD_WEBHOOK_RETRY_SCHEDULE. */
  readonly retrySchedule: readonly number[];
  /** Attempts in flight at once. TRIFOLD_WEBHOOK_CONCURRENCY. */
  readonly concurrency: number;
  /** Attempts in flight at once to one endpoint. TRIFOLD_WEBHOOK_ENDPOINT_CONCURRENCY. */
  readonly endpointConcurrency: number;
  /** How long a delivery is kept after it was delivered. TRIFOLD_WEBHOOK_KEEP_DELIVERED. */
  readonly keepDeliveredMs: number;
  /** How long a delivery is kept after it failed. TRIFOLD_WEBHOOK_KEEP_FAILED. */
  readonly keepFailedMs: number;
  /**
   * Secrets of the key pairs that open the signing secrets of endpoints, newest first. TRIFOLD_WEBHOOK_KEY,
   * TRIFOLD_WEBHOOK_PREVIOUS_KEY.
   */
  readonly keys: readonly string[];
  /** The ConfigMap with the newest public key. TRIFOLD_WEBHOOK_KEY_CONFIG_MAP. */
  readonly publishedKey: PublishedKeyName;
  readonly spool: SpoolLimits;
}

/** Limits at which events wait in the object store. */
export interface SpoolLimits {
  /** Maximum pending deliveries to one destination; further events to it are spooled. */
  readonly mostPending: number;
  /** When fewer deliveries are pending, spooled events become deliveries again, up to the maximum. */
  readonly refillBelow: number;
  /** How long a spooled event is kept after it happened; milliseconds. */
  readonly keepMs: number;
}

const HOUR_MS = 60 * 60_000;

/**
 * 5,000 pending deliveries take about 10 MiB in the API server. Three days are twice the schedule: an event that is
 * spooled behind deliveries that all fail after the schedule still gets its turn.
 */
export const SPOOL_LIMITS: SpoolLimits = Object.freeze({
  mostPending: BOUNDS.pendingDeliveries.limit.value,
  refillBelow: 4_000,
  keepMs: 72 * HOUR_MS,
});

/** Reads the settings of deliveries. Pure; the result is frozen. Throws ConfigError with all problems together. */
export function loadWebhooksConfig(environment: Environment): WebhooksConfig {
  const [outbound, { key, previousKey, ...own }] = readTogether([
    () => loadOutboundConfig(environment),
    () =>
      readSettings<OwnSettings>(environment, {
        key: { variable: 'TRIFOLD_WEBHOOK_KEY', parse: secretText, fallback: undefined },
        previousKey: { variable: 'TRIFOLD_WEBHOOK_PREVIOUS_KEY', parse: secretText, fallback: undefined },
        publishedKey: { variable: 'TRIFOLD_WEBHOOK_KEY_CONFIG_MAP', parse: publishedKeyName },
        retrySchedule: {
          variable: 'TRIFOLD_WEBHOOK_RETRY_SCHEDULE',
          parse: retrySchedule,
        },
        concurrency: {
          variable: 'TRIFOLD_WEBHOOK_CONCURRENCY',
          parse: wholeNumber(2, 4096),
        },
        endpointConcurrency: {
          variable: 'TRIFOLD_WEBHOOK_ENDPOINT_CONCURRENCY',
          parse: wholeNumber(1, 256),
        },
        keepDeliveredMs: {
          variable: 'TRIFOLD_WEBHOOK_KEEP_DELIVERED',
          parse: within(duration, '0s', '720h'),
        },
        keepFailedMs: {
          variable: 'TRIFOLD_WEBHOOK_KEEP_FAILED',
          parse: within(duration, '0s', '2160h'),
        },
      }),
  ]);
  const keys = [key, previousKey].filter((text) => text !== undefined);
  return Object.freeze({ ...outbound, ...own, keys, spool: SPOOL_LIMITS });
}

type OwnSettings = Omit<WebhooksConfig, keyof OutboundConfig | 'keys' | 'spool'> & {
  readonly key: string | undefined;
  readonly previousKey: string | undefined;
};
