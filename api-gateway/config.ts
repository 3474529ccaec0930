import { availableParallelism } from 'node:os';
import {
  byteSize,
  ConfigError,
  duration,
  flag,
  oneOf,
  readSettings,
  readTogether,
  secretText,
  wholeNumber,
  within,
  type Environment,
} from '@trifold/platform/service/config.ts';
import {
  loadPreviewClientConfig,
  type PreviewClientConfig,
} from '@trifold/platform/previews/http/preview-config.ts';
import { loadS3Config, type S3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import { loadServiceConfig, type ServiceConfig } from '@trifold/platform/service/operations-config.ts';
import { loadRedisConfig, type RedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { loadOutboundConfig, type OutboundConfig } from '@trifold/platform/outbound/outbound-config.ts';
import { publishedKeyName, type PublishedKeyName } from '@trifold/platform/records/webhooks/published-key.ts';
import { loadOidcConfig, type OidcConfig } from './sessions/oidc/oidc-config.ts';
import { loadPrices, type Prices } from './usage/prices.ts';
import { rateLimit, type RateLimit } from './server/rate-limit/rate-limit.ts';

/** Keys that may download a document: the key that created it, or every key of its account. */
export const DOWNLOAD_ACCESS = ['key', 'account'] as const;
export type DownloadAccess = (typeof DOWNLOAD_ACCESS)[number];

/** Configuration of the gateway. An error caused by a limit names the limit in its message. */
export interface GatewayConfig {
  /** Maximum bytes of a request body, and of the data of a batch item. TRIFOLD_MAX_BODY. */
  readonly maxBodyBytes: number;
  /** Maximum bytes of the body of a batch request. TRIFOLD_MAX_BATCH_BODY. */
  readonly maxBatchBodyBytes: number;
  /** Maximum bytes of the bodies of all requests in flight. TRIFOLD_BODY_BUDGET. */
  readonly bodyBudgetBytes: number;
  /** The same for one API key. TRIFOLD_KEY_BODY_BUDGET. */
  readonly keyBodyBudgetBytes: number;
  /** Minimum rate of an arriving body in bytes a second; 0: any rate. TRIFOLD_MIN_UPLOAD_RATE. */
  readonly minUploadRate: number;
  /**
   * Maximum bytes of a template's html and css together. TRIFOLD_MAX_TEMPLATE, default 1Mi, the most that a resource
   * can hold.
   */
  readonly maxTemplateBytes: number;
  /** Maximum unfinished documents of an account; 0: any number. TRIFOLD_MAX_LIVE_JOBS. */
  readonly maxLiveJobs: number;
  /** Maximum number of templates of an account; 0: any number. TRIFOLD_MAX_TEMPLATES. */
  readonly maxTemplates: number;
  /** Maximum number of API keys of an account; 0: any number. TRIFOLD_MAX_KEYS. */
  readonly maxKeys: number;
  /** Maximum bytes of an account in the object store; 0: any number. TRIFOLD_MAX_STORED_BYTES. */
  readonly maxStoredBytes: number;
  /** Time that a synchronous request waits for its document, milliseconds. TRIFOLD_SYNC_WAIT. */
  readonly syncWaitMs: number;
  /** TRIFOLD_DOWNLOAD_ACCESS, default key (interface, "GET /v1/generate/:id/download": the same API key). */
  readonly downloadAccess: DownloadAccess;
  /** Rate limit of each key; undefined: no limit. TRIFOLD_RATE_LIMIT. */
  readonly rateLimit: RateLimit | undefined;
  /** Secret that seals sessions, shared by all gateways; undefined: nobody can sign in. TRIFOLD_SESSION_SECRET. */
  readonly sessionSecret: string | undefined;
  /** Sign-in with OpenID Connect; undefined: only with keys. TRIFOLD_OIDC_ISSUER and so on. */
  readonly oidc: OidcConfig | undefined;
  /** Whether to log one line for each request. TRIFOLD_LOG_REQUESTS. */
  readonly logRequests: boolean;
  /** Processes that compile emails, started on demand. TRIFOLD_EMAIL_WORKERS, default 2, or 1 on one core. */
  readonly emailWorkers: number;
  /** Time limit for compiling one email, milliseconds. TRIFOLD_EMAIL_TIMEOUT. */
  readonly emailTimeoutMs: number;
  /** Maximum bytes of each part of a compiled email; an answer has four parts. TRIFOLD_MAX_EMAIL. */
  readonly maxEmailBytes: number;
  /** Unit prices of billed items; none by default. TRIFOLD_PRICE_PDF and so on. */
  readonly prices: Prices;
  /**
   * Destinations that webhooks may reach. TRIFOLD_WEBHOOK_ALLOW_ADDRESSES, TRIFOLD_DENY_ADDRESSES,
   * TRIFOLD_WEBHOOK_ALLOW_HTTP.
   */
  readonly outbound: OutboundConfig;
  /** The ConfigMap with the public key that seals the secrets of webhooks. TRIFOLD_WEBHOOK_KEY_CONFIG_MAP. */
  readonly publishedKey: PublishedKeyName;
  /** Time limit for requests in flight once the gateway closes, milliseconds. TRIFOLD_CLOSE_WAIT. */
  readonly closeWaitMs: number;
}

/** Maximum size that a resource can hold (Template spec, html). */
const MOST_TEMPLATE = '1Mi';

/** Reads the gateway's configuration. Pure; the result is frozen. Throws ConfigError with all problems at once. */
export function loadGatewayConfig(environment: Environment): GatewayConfig {
  const [settings, prices, outbound, oidc] = readTogether([
    () => withBudgets(loadSettings(environment)),
    () => loadPrices(environment),
    () => loadOutboundConfig(environment),
    () => loadOidcConfig(environment),
  ]);
  return Object.freeze({ ...settings, prices, outbound, oidc });
}

type OwnSettings = Omit<GatewayConfig, 'prices' | 'outbound' | 'oidc' | keyof Budgets> & Partial<Budgets>;
type Budgets = Pick<GatewayConfig, 'bodyBudgetBytes' | 'keyBodyBudgetBytes'>;

const KEY_BODY_BUDGET = 64 * 1024 * 1024;
const BODY_BUDGET = 128 * 1024 * 1024;

/** Sets default budgets that fit the largest body. Rejects configured budgets that do not. */
function withBudgets(settings: OwnSettings): OwnSettings & Budgets {
  const largest = Math.max(settings.maxBodyBytes, settings.maxBatchBodyBytes);
  const { keyBodyBudgetBytes = Math.max(KEY_BODY_BUDGET, largest) } = settings;
  const { bodyBudgetBytes = Math.max(BODY_BUDGET, keyBodyBudgetBytes) } = settings;
  const problems: string[] = [];
  if (keyBodyBudgetBytes < largest) {
    problems.push(
      `TRIFOLD_KEY_BODY_BUDGET must be at least ${largest} bytes, as TRIFOLD_MAX_BODY and TRIFOLD_MAX_BATCH_BODY`,
    );
  }
  if (bodyBudgetBytes < keyBodyBudgetBytes) {
    problems.push(
      `TRIFOLD_BODY_BUDGET must be at least ${keyBodyBudgetBytes} bytes, as TRIFOLD_KEY_BODY_BUDGET`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...settings, bodyBudgetBytes, keyBodyBudgetBytes };
}

function loadSettings(environment: Environment): OwnSettings {
  return readSettings<OwnSettings>(environment, {
    maxBodyBytes: {
      variable: 'TRIFOLD_MAX_BODY',
      parse: within(byteSize, '1Ki', '256Mi'),
    },
    maxBatchBodyBytes: {
      variable: 'TRIFOLD_MAX_BATCH_BODY',
      parse: within(byteSize, '1Ki', '256Mi'),
    },
    bodyBudgetBytes: {
      variable: 'TRIFOLD_BODY_BUDGET',
      parse: within(byteSize, '1Ki', '64Gi'),
      fallback: undefined,
    },
    keyBodyBudgetBytes: {
      variable: 'TRIFOLD_KEY_BODY_BUDGET',
      parse: within(byteSize, '1Ki', '64Gi'),
      fallback: undefined,
    },
    minUploadRate: {
      variable: 'TRIFOLD_MIN_UPLOAD_RATE',
      parse: within(byteSize, '0', '64Mi'),
    },
    maxTemplateBytes: {
      variable: 'TRIFOLD_MAX_TEMPLATE',
      parse: within(byteSize, '1Ki', MOST_TEMPLATE),
    },
    maxLiveJobs: {
      variable: 'TRIFOLD_MAX_LIVE_JOBS',
      parse: wholeNumber(0, 1_000_000),
    },
    maxTemplates: { variable: 'TRIFOLD_MAX_TEMPLATES', parse: wholeNumber(0, 1_000_000) },
    maxKeys: { variable: 'TRIFOLD_MAX_KEYS', parse: wholeNumber(0, 1_000_000) },
    maxStoredBytes: {
      variable: 'TRIFOLD_MAX_STORED_BYTES',
      parse: within(byteSize, '0', '1048576Gi'),
    },
    syncWaitMs: {
      variable: 'TRIFOLD_SYNC_WAIT',
      parse: within(duration, '0s', '10m'),
    },
    downloadAccess: {
      variable: 'TRIFOLD_DOWNLOAD_ACCESS',
      parse: oneOf(...DOWNLOAD_ACCESS),
    },
    rateLimit: { variable: 'TRIFOLD_RATE_LIMIT', parse: rateLimit, fallback: undefined },
    sessionSecret: {
      variable: 'TRIFOLD_SESSION_SECRET',
      parse: secretText,
      fallback: undefined,
    },
    logRequests: { variable: 'TRIFOLD_LOG_REQUESTS', parse: flag },
    emailWorkers: {
      variable: 'TRIFOLD_EMAIL_WORKERS',
      parse: wholeNumber(1, 64),
      fallback: Math.min(2, availableParallelism()),
    },
    emailTimeoutMs: {
      variable: 'TRIFOLD_EMAIL_TIMEOUT',
      parse: within(duration, '10ms', '1m'),
    },
    maxEmailBytes: {
      variable: 'TRIFOLD_MAX_EMAIL',
      parse: within(byteSize, '1Ki', '16Mi'),
    },
    publishedKey: { variable: 'TRIFOLD_WEBHOOK_KEY_CONFIG_MAP', parse: publishedKeyName },
    closeWaitMs: { variable: 'TRIFOLD_CLOSE_WAIT', parse: within(duration, '0s', '10m') },
  });
}

/** Configuration of a gateway that runs as its own process. */
export interface GatewayProcessConfig {
  readonly service: ServiceConfig;
  readonly store: S3Config;
  readonly gateway: GatewayConfig;
  /** Redis that counts the requests of keys; when undefined, every gateway counts for itself. */
  readonly redis: RedisConfig | undefined;
  /** Renderers that preview documents; undefined: previews of documents get 501. */
  readonly previews: PreviewClientConfig | undefined;
  /** Port of the HTTP API and the probes; 0 takes a free one. TRIFOLD_PORT. */
  readonly port: number;
  /**
   * Time after a stop signal during which the gateway still accepts requests but reports that it is not ready: a
   * cluster needs time to send them elsewhere. Milliseconds. TRIFOLD_CLOSE_DELAY.
   */
  readonly closeDelayMs: number;
}

/** Reads the configuration of a gateway in a cluster. Throws ConfigError with all problems at once. */
export function loadGatewayProcessConfig(environment: Environment): GatewayProcessConfig {
  const [service, store, gateway, redis, previews, own] = readTogether([
    () => loadServiceConfig(environment),
    () => loadS3Config(environment),
    () => withSecret(loadGatewayConfig(environment)),
    () => loadCountersConfig(environment),
    () => loadPreviewClientConfig(environment),
    () =>
      readSettings<Pick<GatewayProcessConfig, 'port' | 'closeDelayMs'>>(environment, {
        port: { variable: 'TRIFOLD_PORT', parse: wholeNumber(0, 65_535) },
        closeDelayMs: {
          variable: 'TRIFOLD_CLOSE_DELAY',
          parse: within(duration, '0s', '5m'),
        },
      }),
  ]);
  return Object.freeze({ service, store, gateway, redis, previews, ...own });
}

function withSecret(gateway: GatewayConfig): GatewayConfig {
  if (!gateway.oidc || gateway.sessionSecret !== undefined) return gateway;
  throw new ConfigError(['TRIFOLD_SESSION_SECRET is missing: sign-in with OpenID Connect needs it']);
}

/** Without a rate limit nothing is counted, even if a Redis is configured. */
function loadCountersConfig(environment: Environment): RedisConfig | undefined {
  const { TRIFOLD_RATE_LIMIT: limit = '', TRIFOLD_REDIS_URL: url = '' } = environment;
  const isCounted = limit !== '' && limit !== 'off';
  return isCounted && url !== '' ? loadRedisConfig(environment) : undefined;
}
