import { MAX_MERGED_BYTES } from '@trifold/crds/limits.ts';
import { MERGE_TIMEOUT_MS } from '@trifold/platform/bounds/timeouts.ts';
import {
  ConfigError,
  readSettings,
  readTogether,
  type Environment,
} from '@trifold/platform/settings/read-settings.ts';
import { loadOperationsConfig, loadServiceConfig } from '@trifold/platform/process/operations-config.ts';
import { loadProxies } from '@trifold/platform/outbound/proxies.ts';
import { loadPreviewServerConfig } from '@trifold/platform/previews/http/preview-config.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';

/** Settings for starting browsers; see findBrowser for the default of `browser`. */
const BROWSER_SETTINGS = {
  browser: 'TRIFOLD_BROWSER',
  browserSandbox: 'TRIFOLD_BROWSER_SANDBOX',
  browserSocket: 'TRIFOLD_BROWSER_SOCKET',
} as const;

/** Values that no installation needs to change. */
export const CONSTANTS = { mergeTimeoutMs: MERGE_TIMEOUT_MS, maxMergedBytes: MAX_MERGED_BYTES };

/**
 * Settings of a renderer. Durations are in milliseconds, sizes in bytes. See platform/settings/rendering-settings.ts
 * for the meaning of each setting.
 */
export type RendererConfig = ReturnType<typeof loadRendererConfig>;

/** `auto`: sandbox if the machine allows it; `required`: fail without it; `off`: never. */
export type SandboxPolicy = RendererConfig['browserSandbox'];

/** Reads a renderer's settings. Pure; the result is frozen. Throws ConfigError with all problems. */
export function loadRendererConfig(environment: Environment) {
  const [settings, proxies] = readTogether([
    () => loadRenderingSettings(environment),
    () => loadProxies(environment),
  ]);
  return Object.freeze({ ...CONSTANTS, ...settings, proxies });
}

function loadRenderingSettings(environment: Environment) {
  return readSettings(environment, {
    ...BROWSER_SETTINGS,
    browsers: 'TRIFOLD_BROWSERS',
    browserMemoryBytes: 'TRIFOLD_BROWSER_MEMORY',
    maxOutputBytes: 'TRIFOLD_MAX_OUTPUT',
    templateScripts: 'TRIFOLD_TEMPLATE_SCRIPTS',
    allowHosts: 'TRIFOLD_RENDER_ALLOW_HOSTS',
    allowAddresses: 'TRIFOLD_RENDER_ALLOW_ADDRESSES',
    denyAddresses: 'TRIFOLD_DENY_ADDRESSES',
  });
}

/** Reads all settings of a renderer in a cluster. Throws ConfigError with all problems. */
export function loadRendererProcessConfig(environment: Environment) {
  const [service, operations, redis, renderer, previews, own] = readTogether([
    () => loadServiceConfig(environment),
    () => loadOperationsConfig(environment),
    () => loadRedisConfig(environment),
    () => loadRendererConfig(environment),
    () => loadPreviewServerConfig(environment),
    () => readSettings(environment, { taskKeys: 'TRIFOLD_TASK_KEYS', drainWaitMs: 'TRIFOLD_DRAIN_WAIT' }),
  ]);
  return Object.freeze({ service, operations, redis, renderer, previews, ...own });
}

/** Reads all settings of a browser launcher. Throws ConfigError with all problems. */
export function loadLauncherProcessConfig(environment: Environment) {
  const [service, { browserSocket, ...own }] = readTogether([
    () => loadServiceConfig(environment),
    () => readSettings(environment, BROWSER_SETTINGS),
  ]);
  if (browserSocket === undefined) {
    throw new ConfigError(['TRIFOLD_BROWSER_SOCKET must be set: the path of the Unix socket to listen on']);
  }
  return Object.freeze({ service, browserSocket, ...own });
}
