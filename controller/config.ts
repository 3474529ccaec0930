import {
  ConfigError,
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
import { loadTaskKeys } from '@trifold/platform/render-queue/bullmq/task-keys.ts';
import { loadTurnShares, type TurnShares } from '@trifold/platform/scheduling/priority.ts';
import { loadRedisConfig, type RedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { loadWebhooksConfig, type WebhooksConfig } from './webhooks/config.ts';

/** Configuration of the controller. Durations are in milliseconds unless the name says otherwise. */
export interface ControllerConfig {
  /**
   * How long the resource of a finished job is kept, unless its spec says otherwise.
   * TRIFOLD_TTL_SECONDS_AFTER_FINISHED.
   */
  readonly ttlSecondsAfterFinished: number;
  /**
   * Number of finished jobs and batches of an account that are kept until their time to live is over; older ones are
   * deleted earlier. TRIFOLD_FINISHED_JOBS_PER_ACCOUNT.
   */
  readonly finishedJobsPerAccount: number;
  /** The same for all accounts together. TRIFOLD_FINISHED_JOBS. */
  readonly finishedJobs: number;
  /**
   * Number of finished jobs of an account that may not be deleted early; beyond it, further such jobs fail.
   * TRIFOLD_KEPT_JOBS_PER_ACCOUNT.
   */
  readonly keptJobsPerAccount: number;
  /** Time limit of one attempt, from the time when a renderer takes it. TRIFOLD_RENDER_DEADLINE. */
  readonly renderDeadlineMs: number;
  /** Total attempts of a document that fails with a temporary error. TRIFOLD_RENDER_ATTEMPTS. */
  readonly renderAttempts: number;
  /** Delay before the second attempt; doubled before each further attempt. TRIFOLD_RENDER_RETRY_DELAY. */
  readonly retryDelayMs: number;
  /** Interval at which every dispatched job is looked up, regardless of the queue's events. TRIFOLD_RESYNC_INTERVAL. */
  readonly resyncMs: number;
  /** Time after its dispatch at which an unfinished job shows its phase. TRIFOLD_PROGRESS_AFTER. */
  readonly progressAfterMs: number;
  /** Interval of the deletion of expired documents and of the count of stored bytes. TRIFOLD_COLLECTION_INTERVAL. */
  readonly collectionIntervalMs: number;
  /** Number of versions of each template that are kept. TRIFOLD_TEMPLATE_VERSIONS. */
  readonly templateVersions: number;
  /**
   * Interval at which usage reports follow finished work. Work past its time to live waits at most as long for more work
   * of its account, to be counted and deleted together. TRIFOLD_USAGE_INTERVAL.
   */
  readonly usageIntervalMs: number;
  /** Jobs reconciled at once. TRIFOLD_CONTROLLER_CONCURRENCY. */
  readonly jobConcurrency: number;
  /** Shares of asynchronous jobs and batches in the turns. TRIFOLD_ASYNC_TURN_EVERY, TRIFOLD_BATCH_TURN_EVERY. */
  readonly shares: TurnShares;
  /** Webhook delivery: destinations, schedule and retention. */
  readonly webhooks: WebhooksConfig;
}

/** Reads the controller's settings. Pure; the result is frozen. Throws ConfigError with all problems together. */
export function loadControllerConfig(environment: Environment): ControllerConfig {
  const [own, shares, webhooks] = readTogether([
    () => loadOwnConfig(environment),
    () => loadTurnShares(environment),
    () => loadWebhooksConfig(environment),
  ]);
  return Object.freeze({ ...own, shares, webhooks });
}

type OwnConfig = Omit<ControllerConfig, 'shares' | 'webhooks'>;

function loadOwnConfig(environment: Environment): OwnConfig {
  return readSettings<OwnConfig>(environment, {
    ttlSecondsAfterFinished: {
      variable: 'TRIFOLD_TTL_SECONDS_AFTER_FINISHED',
      parse: wholeNumber(0, 86_400),
    },
    finishedJobsPerAccount: {
      variable: 'TRIFOLD_FINISHED_JOBS_PER_ACCOUNT',
      parse: wholeNumber(0, 1_000_000),
    },
    finishedJobs: { variable: 'TRIFOLD_FINISHED_JOBS', parse: wholeNumber(0, 1_000_000) },
    keptJobsPerAccount: {
      variable: 'TRIFOLD_KEPT_JOBS_PER_ACCOUNT',
      parse: wholeNumber(1, 1_000_000),
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
    templateVersions: { variable: 'TRIFOLD_TEMPLATE_VERSIONS', parse: wholeNumber(1, 1_000) },
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

/** The Lease that the controllers of one installation compete for. */
export interface LeaseConfig {
  /** TRIFOLD_LEASE_NAMESPACE. Defaults to the namespace of the pod; outside a cluster, to `default`. */
  readonly namespace: string | undefined;
  /** TRIFOLD_LEASE_NAME. */
  readonly name: string;
}

/** Configuration of a controller that runs as its own process. */
export interface ControllerProcessConfig {
  readonly service: ServiceConfig;
  readonly operations: OperationsConfig;
  readonly redis: RedisConfig;
  /** Keys that seal tasks, the newest first. TRIFOLD_TASK_KEYS. */
  readonly taskKeys: readonly string[];
  readonly store: S3Config;
  readonly controller: ControllerConfig;
  readonly lease: LeaseConfig;
}

/** Reads everything a controller of a cluster needs. Throws ConfigError with all problems together. */
export function loadControllerProcessConfig(environment: Environment): ControllerProcessConfig {
  const [service, operations, redis, taskKeys, store, controller, lease] = readTogether([
    () => loadServiceConfig(environment),
    () => loadOperationsConfig(environment),
    () => loadRedisConfig(environment),
    () => loadTaskKeys(environment),
    () => loadS3Config(environment),
    () => withKey(loadControllerConfig(environment)),
    () =>
      readSettings<LeaseConfig>(environment, {
        namespace: { variable: 'TRIFOLD_LEASE_NAMESPACE', parse: dnsLabel, fallback: undefined },
        name: { variable: 'TRIFOLD_LEASE_NAME', parse: dnsLabel },
      }),
  ]);
  return Object.freeze({ service, operations, redis, taskKeys, store, controller, lease });
}

function withKey(controller: ControllerConfig): ControllerConfig {
  if (controller.webhooks.keys.length > 0) return controller;
  throw new ConfigError(['TRIFOLD_WEBHOOK_KEY is missing: it opens the signing secrets of webhooks']);
}

/** A name that is valid for any object of the API server (RFC 1123 label). */
const dnsLabel: SettingParser<string> = (text) => {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new RangeError(
    `must be 1 to 63 lowercase letters, digits and hyphens, no hyphen at an end, not ${JSON.stringify(text)}`,
  );
};
