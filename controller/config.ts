import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { COLLECTION_INTERVAL_MS } from '@trifold/platform/bounds/timeouts.ts';
import {
  ConfigError,
  readSettings,
  readTogether,
  type Environment,
} from '@trifold/platform/settings/read-settings.ts';
import { loadS3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import { loadOperationsConfig, loadServiceConfig } from '@trifold/platform/process/operations-config.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { loadWebhooksConfig } from './webhooks/config.ts';

/**
 * Configuration of the controller. Durations are in milliseconds unless the name says otherwise. See
 * platform/settings/controller-settings.ts for the meaning of each setting.
 */
export type ControllerConfig = ReturnType<typeof loadControllerConfig>;

const SECOND_MS = 1_000;

/** Values that no installation needs to change. */
export const CONSTANTS = {
  /** Delay before a document's second attempt; doubled before each subsequent attempt. */
  retryDelayMs: SECOND_MS,
  /** Interval at which every dispatched job is checked, regardless of the queue's events. */
  resyncMs: 10 * SECOND_MS,
  /** Age at which an unfinished job's status shows its phase, for at most five jobs per second. */
  progressAfterMs: SECOND_MS,
  /**
   * Interval at which finished work and emails are added to usage reports. Finished work that is due for deletion waits
   * up to this long for more work from its account, so that all of it is counted and deleted together.
   */
  usageIntervalMs: 10 * SECOND_MS,
  collectionIntervalMs: COLLECTION_INTERVAL_MS,
  /** Maximum number of an account's finished jobs that may not be deleted early; beyond it, further such jobs fail. */
  keptJobsPerAccount: BOUNDS.keptWork.limit.value as number,
};

/** Reads the controller's settings. Pure; the result is frozen. Throws ConfigError with all problems. */
export function loadControllerConfig(environment: Environment) {
  const [own, webhooks] = readTogether([
    () =>
      readSettings(environment, {
        ttlSecondsAfterFinished: 'TRIFOLD_TTL_SECONDS_AFTER_FINISHED',
        keepFailedData: 'TRIFOLD_KEEP_FAILED_DATA',
        finishedJobsPerAccount: 'TRIFOLD_FINISHED_JOBS_PER_ACCOUNT',
        finishedJobs: 'TRIFOLD_FINISHED_JOBS',
        renderDeadlineMs: 'TRIFOLD_RENDER_DEADLINE',
        renderAttempts: 'TRIFOLD_RENDER_ATTEMPTS',
        templateVersions: 'TRIFOLD_TEMPLATE_VERSIONS',
      }),
    () => loadWebhooksConfig(environment),
  ]);
  return Object.freeze({ ...CONSTANTS, ...own, webhooks });
}

/** Configuration of a controller that runs as a separate process. */
export type ControllerProcessConfig = ReturnType<typeof loadControllerProcessConfig>;

/** Reads everything a controller in a cluster needs. Throws ConfigError with all problems. */
export function loadControllerProcessConfig(environment: Environment) {
  const [service, operations, redis, tasks, store, controller, lease] = readTogether([
    () => loadServiceConfig(environment),
    () => loadOperationsConfig(environment),
    () => loadRedisConfig(environment),
    () => readSettings(environment, { taskKeys: 'TRIFOLD_TASK_KEYS' }),
    () => loadS3Config(environment),
    () => withKey(loadControllerConfig(environment)),
    () => readSettings(environment, { namespace: 'TRIFOLD_LEASE_NAMESPACE', name: 'TRIFOLD_LEASE_NAME' }),
  ]);
  return Object.freeze({ service, operations, redis, ...tasks, store, controller, lease });
}

function withKey(controller: ControllerConfig): ControllerConfig {
  if (controller.webhooks.keys.length > 0) return controller;
  throw new ConfigError([
    'TRIFOLD_WEBHOOK_KEY is missing: controllers need it to decrypt webhook signing secrets',
  ]);
}
