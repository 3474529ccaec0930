import { availableParallelism } from 'node:os';
import {
  byteSize,
  duration,
  listOf,
  oneOf,
  plainText,
  readSettings,
  readTogether,
  wholeNumber,
  within,
  type Environment,
  type Setting,
} from '@trifold/platform/service/config.ts';
import type { AddressRange } from '@trifold/platform/outbound/address-guard.ts';
import { addressRanges, DENY_ADDRESSES } from '@trifold/platform/outbound/address-settings.ts';
import {
  loadOperationsConfig,
  loadServiceConfig,
  type OperationsConfig,
  type ServiceConfig,
} from '@trifold/platform/service/operations-config.ts';
import {
  loadPreviewServerConfig,
  type PreviewServerConfig,
} from '@trifold/platform/previews/http/preview-config.ts';
import { loadRedisConfig, type RedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { loadTaskKeys } from '@trifold/platform/render-queue/bullmq/task-keys.ts';
import { loadTurnShares, type TurnShares } from '@trifold/platform/scheduling/priority.ts';
import { SANDBOX_POLICIES, type SandboxPolicy } from './browser/process/sandbox.ts';
import { parseAllowedHost, type AllowedHost } from './network/allowed-hosts.ts';

/** Settings of what starts browsers. */
export interface BrowserConfig {
  /** The browser's executable, or `bundled`. TRIFOLD_BROWSER; see findBrowser for the default. */
  readonly browser: string | undefined;
  /** Whether Chromium sandboxes its own processes. TRIFOLD_BROWSER_SANDBOX: auto (default), required, off. */
  readonly browserSandbox: SandboxPolicy;
}

/** Settings of a renderer. Durations are in milliseconds, sizes in bytes. */
export interface RendererConfig extends BrowserConfig {
  /**
   * Socket of the launcher that starts the browsers, in their own container. TRIFOLD_BROWSER_SOCKET. Undefined: they are
   * child processes of the renderer.
   */
  readonly browserSocket: string | undefined;
  /**
   * Number of browsers; each prints one document at a time. TRIFOLD_BROWSERS, default 2, or 1 on a single-core machine.
   */
  readonly browsers: number;
  /** Number of documents after which a browser is replaced. TRIFOLD_BROWSER_DOCUMENTS. */
  readonly documentsPerBrowser: number;
  /** Memory at which a browser is replaced. TRIFOLD_BROWSER_MEMORY. */
  readonly browserMemoryBytes: number;
  /** Time after which an account's unused page is closed. TRIFOLD_CONTEXT_IDLE. */
  readonly contextIdleMs: number;
  /** Number of processes that merge templates with data. TRIFOLD_MERGE_WORKERS. */
  readonly mergeWorkers: number;
  /** Timeout of one merge. TRIFOLD_MERGE_TIMEOUT. */
  readonly mergeTimeoutMs: number;
  /** Maximum size of merged HTML. TRIFOLD_MAX_MERGED. */
  readonly maxMergedBytes: number;
  /** Maximum size of a finished document. TRIFOLD_MAX_OUTPUT. */
  readonly maxOutputBytes: number;
  /** Whether scripts in templates run, each document in its own context. TRIFOLD_TEMPLATE_SCRIPTS. */
  readonly templateScripts: 'off' | 'on';
  /** Hosts from which documents may load images, styles and fonts. TRIFOLD_RENDER_ALLOW_HOSTS. */
  readonly allowHosts: readonly AllowedHost[];
  /** Non-public address ranges that those hosts may use. TRIFOLD_RENDER_ALLOW_ADDRESSES. */
  readonly allowAddresses: readonly AddressRange[];
  /** Address ranges that those hosts may not use, even if public or allowed. TRIFOLD_DENY_ADDRESSES. */
  readonly denyAddresses: readonly AddressRange[];
  /** Shares of asynchronous tasks and batches in the turns. TRIFOLD_ASYNC_TURN_EVERY, TRIFOLD_BATCH_TURN_EVERY. */
  readonly shares: TurnShares;
}

/** The browser sends documents as base64, which is larger and must fit into one string. */
const MOST_OUTPUT = '256Mi';

/** Reads a renderer's settings. Pure; the result is frozen. Throws ConfigError with all problems together. */
export function loadRendererConfig(environment: Environment): RendererConfig {
  const [own, shares] = readTogether([() => loadOwnConfig(environment), () => loadTurnShares(environment)]);
  return Object.freeze({ ...own, shares });
}

type OwnConfig = Omit<RendererConfig, 'shares'>;

const BROWSER_SETTINGS: { readonly [Name in keyof BrowserConfig]: Setting<BrowserConfig[Name]> } = {
  browser: { variable: 'TRIFOLD_BROWSER', parse: plainText, fallback: undefined },
  browserSandbox: { variable: 'TRIFOLD_BROWSER_SANDBOX', parse: oneOf(...SANDBOX_POLICIES) },
};

function loadOwnConfig(environment: Environment): OwnConfig {
  const parallel = Math.min(2, availableParallelism());
  return readSettings<OwnConfig>(environment, {
    ...BROWSER_SETTINGS,
    browserSocket: { variable: 'TRIFOLD_BROWSER_SOCKET', parse: plainText, fallback: undefined },
    browsers: { variable: 'TRIFOLD_BROWSERS', parse: wholeNumber(1, 64), fallback: parallel },
    documentsPerBrowser: {
      variable: 'TRIFOLD_BROWSER_DOCUMENTS',
      parse: wholeNumber(1, 1_000_000),
    },
    browserMemoryBytes: {
      variable: 'TRIFOLD_BROWSER_MEMORY',
      parse: within(byteSize, '64Mi', '64Gi'),
    },
    contextIdleMs: {
      variable: 'TRIFOLD_CONTEXT_IDLE',
      parse: within(duration, '1s', '24h'),
    },
    mergeWorkers: { variable: 'TRIFOLD_MERGE_WORKERS', parse: wholeNumber(1, 64), fallback: parallel },
    mergeTimeoutMs: {
      variable: 'TRIFOLD_MERGE_TIMEOUT',
      parse: within(duration, '10ms', '10m'),
    },
    maxMergedBytes: {
      variable: 'TRIFOLD_MAX_MERGED',
      parse: within(byteSize, '1Ki', '40Mi'),
    },
    maxOutputBytes: {
      variable: 'TRIFOLD_MAX_OUTPUT',
      parse: within(byteSize, '1Ki', MOST_OUTPUT),
    },
    templateScripts: { variable: 'TRIFOLD_TEMPLATE_SCRIPTS', parse: oneOf('off', 'on') },
    allowHosts: { variable: 'TRIFOLD_RENDER_ALLOW_HOSTS', parse: listOf(parseAllowedHost), fallback: [] },
    allowAddresses: {
      variable: 'TRIFOLD_RENDER_ALLOW_ADDRESSES',
      parse: addressRanges,
      fallback: [],
    },
    denyAddresses: DENY_ADDRESSES,
  });
}

/** Settings of a renderer that runs as its own process. */
export interface RendererProcessConfig {
  readonly service: ServiceConfig;
  readonly operations: OperationsConfig;
  readonly redis: RedisConfig;
  /** Keys that seal tasks, the newest first. TRIFOLD_TASK_KEYS. */
  readonly taskKeys: readonly string[];
  readonly renderer: RendererConfig;
  /** Undefined: no previews. */
  readonly previews: PreviewServerConfig | undefined;
  /**
   * Maximum time for in-flight documents after the stop signal; unfinished ones then go to another renderer.
   * Milliseconds. TRIFOLD_DRAIN_WAIT, default 70s: longer than the deadline of a document.
   */
  readonly drainWaitMs: number;
}

/** Reads all settings of a renderer in a cluster. Throws ConfigError with all problems together. */
export function loadRendererProcessConfig(environment: Environment): RendererProcessConfig {
  const [service, operations, redis, taskKeys, renderer, previews, own] = readTogether([
    () => loadServiceConfig(environment),
    () => loadOperationsConfig(environment),
    () => loadRedisConfig(environment),
    () => loadTaskKeys(environment),
    () => loadRendererConfig(environment),
    () => loadPreviewServerConfig(environment),
    () => readSettings<{ drainWaitMs: number }>(environment, DRAIN_WAIT),
  ]);
  return Object.freeze({ service, operations, redis, taskKeys, renderer, previews, ...own });
}

const DRAIN_WAIT: { readonly drainWaitMs: Setting<number> } = {
  drainWaitMs: { variable: 'TRIFOLD_DRAIN_WAIT', parse: within(duration, '0s', '1h') },
};

/** Settings of the process that starts browsers in a container of their own. */
export interface LauncherProcessConfig extends BrowserConfig {
  readonly service: ServiceConfig;
  /** Path of the Unix socket to listen on. TRIFOLD_BROWSER_SOCKET, required. */
  readonly browserSocket: string;
}

/** Reads all settings of a browser launcher. Throws ConfigError with all problems together. */
export function loadLauncherProcessConfig(environment: Environment): LauncherProcessConfig {
  const [service, own] = readTogether([
    () => loadServiceConfig(environment),
    () =>
      readSettings<BrowserConfig & { browserSocket: string }>(environment, {
        ...BROWSER_SETTINGS,
        browserSocket: { variable: 'TRIFOLD_BROWSER_SOCKET', parse: plainText },
      }),
  ]);
  return Object.freeze({ service, ...own });
}
