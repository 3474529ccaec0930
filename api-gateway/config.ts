import { availableParallelism } from 'node:os';
import { MAX_EMAIL_BYTES, MAX_TEMPLATE_BYTES } from '@trifold/crds/limits.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { EMAIL_TIMEOUT_MS } from '@trifold/platform/bounds/timeouts.ts';
import {
  ConfigError,
  readSettings,
  readTogether,
  type Environment,
} from '@trifold/platform/settings/read-settings.ts';
import { loadPreviewClientConfig } from '@trifold/platform/previews/http/preview-config.ts';
import { loadS3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import { loadServiceConfig } from '@trifold/platform/process/operations-config.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { loadOutboundConfig } from '@trifold/platform/outbound/outbound-config.ts';
import { loadOidcConfig } from './sessions/oidc/oidc-config.ts';
import { loadPrices } from './usage/prices.ts';

/**
 * Configuration of the gateway: durations in milliseconds, sizes in bytes. See platform/settings/ for the meaning of
 * each setting.
 */
export type GatewayConfig = ReturnType<typeof loadGatewayConfig>;

export type DownloadAccess = GatewayConfig['downloadAccess'];

/** Values that no installation needs to change. */
export const CONSTANTS = {
  maxTemplateBytes: MAX_TEMPLATE_BYTES,
  /** Maximum number of processes that compile emails; they start with the first email. */
  emailWorkers: Math.min(BOUNDS.emails.limit.value, availableParallelism()),
  emailTimeoutMs: EMAIL_TIMEOUT_MS,
  maxEmailBytes: MAX_EMAIL_BYTES,
};

/** Reads the gateway's configuration. Pure; the result is frozen. Throws ConfigError with all problems. */
export function loadGatewayConfig(environment: Environment) {
  const [settings, prices, outbound, oidc] = readTogether([
    () => withBudgets(loadSettings(environment)),
    () => loadPrices(environment),
    () => loadOutboundConfig(environment),
    () => loadOidcConfig(environment),
  ]);
  return Object.freeze({ ...CONSTANTS, ...settings, prices, outbound, oidc });
}

const BODY_BUDGET = 128 * 1024 * 1024;

/**
 * Sets a default budget for all bodies in flight that is large enough for the largest body, and rejects a smaller
 * configured budget. A key gets half of it, so that no single key can use it up; a body larger than that half may take
 * more.
 */
function withBudgets(settings: ReturnType<typeof loadSettings>) {
  const largest = Math.max(settings.maxBodyBytes, settings.maxBatchBodyBytes);
  const { bodyBudgetBytes = Math.max(BODY_BUDGET, largest) } = settings;
  if (bodyBudgetBytes < largest) {
    throw new ConfigError([
      `TRIFOLD_BODY_BUDGET must be at least ${largest} bytes, the larger of TRIFOLD_MAX_BODY and TRIFOLD_MAX_BATCH_BODY`,
    ]);
  }
  const keyBodyBudgetBytes = Math.max(Math.floor(bodyBudgetBytes / 2), largest);
  return { ...settings, bodyBudgetBytes, keyBodyBudgetBytes };
}

function loadSettings(environment: Environment) {
  return readSettings(environment, {
    maxBodyBytes: 'TRIFOLD_MAX_BODY',
    maxBatchBodyBytes: 'TRIFOLD_MAX_BATCH_BODY',
    bodyBudgetBytes: 'TRIFOLD_BODY_BUDGET',
    maxUnfinishedDocuments: 'TRIFOLD_MAX_UNFINISHED_DOCUMENTS',
    maxTemplates: 'TRIFOLD_MAX_TEMPLATES',
    maxKeys: 'TRIFOLD_MAX_KEYS',
    maxStoredBytes: 'TRIFOLD_MAX_STORED_BYTES',
    syncWaitMs: 'TRIFOLD_SYNC_WAIT',
    downloadAccess: 'TRIFOLD_DOWNLOAD_ACCESS',
    rateLimit: 'TRIFOLD_RATE_LIMIT',
    sessionSecret: 'TRIFOLD_SESSION_SECRET',
    logRequests: 'TRIFOLD_LOG_REQUESTS',
    publishedKey: 'TRIFOLD_WEBHOOK_KEY_CONFIG_MAP',
    keepAliveMs: 'TRIFOLD_KEEP_ALIVE',
    closeWaitMs: 'TRIFOLD_CLOSE_WAIT',
  });
}

/** Configuration of a gateway that runs as a separate process. */
export type GatewayProcessConfig = ReturnType<typeof loadGatewayProcessConfig>;

/** Reads the configuration of a gateway in a cluster. Throws ConfigError with all problems. */
export function loadGatewayProcessConfig(environment: Environment) {
  const [service, store, { gateway, redis }, previews, own] = readTogether([
    () => loadServiceConfig(environment),
    () => loadS3Config(environment),
    () => withCounters(withSecret(loadGatewayConfig(environment)), environment),
    () => loadPreviewClientConfig(environment),
    () => readSettings(environment, { port: 'TRIFOLD_PORT', closeDelayMs: 'TRIFOLD_CLOSE_DELAY' }),
  ]);
  return Object.freeze({ service, store, gateway, redis, previews, ...own });
}

function withSecret(gateway: GatewayConfig): GatewayConfig {
  if (!gateway.oidc || gateway.sessionSecret !== undefined) return gateway;
  throw new ConfigError(['TRIFOLD_SESSION_SECRET is missing: sign-in with OpenID Connect requires it']);
}

/**
 * Adds the Redis settings for counting requests per key; if undefined, each gateway counts separately. Without a rate
 * limit nothing is counted, even if Redis is configured.
 */
function withCounters(gateway: GatewayConfig, environment: Environment) {
  const isCounted = gateway.rateLimit !== undefined && (environment['TRIFOLD_REDIS_URL'] ?? '') !== '';
  return { gateway, redis: isCounted ? loadRedisConfig(environment) : undefined };
}
