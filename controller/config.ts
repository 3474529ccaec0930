import {
  duration,
  readSettings,
  readTogether,
  wholeNumber,
  within,
  type Environment,
  type SettingParser,
} from '@trifold/platform/service/config.ts';
import { loadS3Config, type S3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import {
  loadOperationsConfig,
  loadServiceConfig,
  type OperationsConfig,
  type ServiceConfig,
} from '@trifold/platform/service/operations-config.ts';
import { loadRedisConfig, type RedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { loadWebhooksConfig, type WebhooksConfig } from './webhooks/config.ts';

/** What the controller needs to know. Durations are in milliseconds unless the name says otherwise. */
export interface ControllerConfig {
  /** How long a finished job's resource is kept unless its spec says. TRIFOLD_TTL_SECONDS_AFTER_FINISHED. */
  readonly ttlSecondsAfterFinished: number;
  /** What one attempt may take once a renderer has it. TRIFOLD_RENDER_DEADLINE. */
  readonly renderDeadlineMs: number;
  /** Attempts a document gets in all when it fails for a passing reason. TRIFOLD_RENDER_ATTEMPTS. */
  readonly renderAttempts: number;
  /** Pause before the second attempt; doubled before each one after it. TRIFOLD_RENDER_RETRY_DELAY. */
  readonly retryDelayMs: number;
  /** How often every dispatched job is asked for, whatever the queue's events say. TRIFOLD_RESYNC_INTERVAL. */
  readonly resyncMs: number;
  /** A job not finished this long after its dispatch shows its phase. TRIFOLD_PROGRESS_AFTER. */
  readonly progressAfterMs: number;
  /** How often expired documents are looked for. TRIFOLD_COLLECTION_INTERVAL. */
  readonly collectionIntervalMs: number;
  /**
   * How long finished work of an account that is past its time to live may wait for more of it, to be counted and
   * deleted together. TRIFOLD_USAGE_INTERVAL.
   */
  readonly usageIntervalMs: number;
  /** Jobs worked on at once. TRIFOLD_CONTROLLER_CONCURRENCY. */
  readonly jobConcurrency: number;
  /** Where events go, how often and for how long. */
  readonly webhooks: WebhooksConfig;
}

/** Reads the controller's settings. Pure; the answer is frozen. Throws ConfigError with all problems together. */
export function loadControllerConfig(environment: Environment): ControllerConfig {
  const [own, webhooks] = readTogether([
    () => loadOwnConfig(environment),
    () => loadWebhooksConfig(environment),
  ]);
  return Object.freeze({ ...own, webhooks });
}

function loadOwnConfig(environment: Environment): Omit<ControllerConfig, 'webhooks'> {
  return readSettings<Omit<ControllerConfig, 'webhooks'>>(environment, {
    ttlSecondsAfterFinished: {
      variable: 'TRIFOLD_TTL_SECONDS_AFTER_FINISHED',
      parse: wholeNumber(0, 86_400),
    },
    renderDeadlineMs: {
      variable: 'TRIFOLD_RENDER_DEADLINE',
      parse: within(duration, '1s', '1h'),
    },
    renderAttempts: { variable: 'TRIFOLD_RENDER_ATTEMPTS', parse: wholeNumber(1, 10) },
    retryDelayMs: {
      variable: 'TRIFOLD_RENDER_RETRY_DELAY',
      parse: within(duration, '10ms', '10m'),
    },
    resyncMs: { variable: 'TRIFOLD_RESYNC_INTERVAL', parse: within(duration, '1s', '10m') },
    progressAfterMs: {
      variable: 'TRIFOLD_PROGRESS_AFTER',
      parse: within(duration, '100ms', '1m'),
    },
    collectionIntervalMs: {
      variable: 'TRIFOLD_COLLECTION_INTERVAL',
      parse: within(duration, '10s', '24h'),
    },
    usageIntervalMs: {
      variable: 'TRIFOLD_USAGE_INTERVAL',
      parse: within(duration, '100ms', '10m'),
    },
    jobConcurrency: {
      variable: 'TRIFOLD_CONTROLLER_CONCURRENCY',
      parse: wholeNumber(1, 256),
    },
  });
}

/** Which Lease the controllers of one installation compete for. */
export interface LeaseConfig {
  /** TRIFOLD_LEASE_NAMESPACE, default the pod's own, outside a cluster `default`. */
  readonly namespace: string | undefined;
  /** TRIFOLD_LEASE_NAME. */
  readonly name: string;
}

/** What a controller that is a process of its own needs to know. */
export interface ControllerProcessConfig {
  readonly service: ServiceConfig;
  readonly operations: OperationsConfig;
  readonly redis: RedisConfig;
  readonly store: S3Config;
  readonly controller: ControllerConfig;
  readonly lease: LeaseConfig;
}

/** Reads everything a controller of a cluster needs. Throws ConfigError with all problems together. */
export function loadControllerProcessConfig(environment: Environment): ControllerProcessConfig {
  const [service, operations, redis, store, controller, lease] = readTogether([
    () => loadServiceConfig(environment),
    () => loadOperationsConfig(environment),
    () => loadRedisConfig(environment),
    () => loadS3Config(environment),
    () => loadControllerConfig(environment),
    () =>
      readSettings<LeaseConfig>(environment, {
        namespace: { variable: 'TRIFOLD_LEASE_NAMESPACE', parse: dnsLabel, fallback: undefined },
        name: { variable: 'TRIFOLD_LEASE_NAME', parse: dnsLabel },
      }),
  ]);
  return Object.freeze({ service, operations, redis, store, controller, lease });
}

/** A name that any object of the API server may have (RFC 1123 label). */
const dnsLabel: SettingParser<string> = (text) => {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new RangeError(
    `must be 1 to 63 lowercase letters, digits and hyphens, no hyphen at an end, not ${JSON.stringify(text)}`,
  );
};
