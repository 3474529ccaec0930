import { loadControllerConfig, type ControllerConfig } from '@trifold/controller/config.ts';
import { loadGatewayConfig, type GatewayConfig } from '@trifold/api-gateway/config.ts';
import {
  listOf,
  oneOf,
  plainText,
  readSettings,
  readTogether,
  wholeNumber,
  type Environment,
} from '@trifold/platform/service/config.ts';
import type { Durability } from '@trifold/platform/service/durability.ts';
import { isKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { loadRendererConfig, type RendererConfig } from '@trifold/renderer/config.ts';

/** Settings of the standalone process itself. */
export interface ProcessConfig {
  /** Address the HTTP API listens on. TRIFOLD_HOST, default 127.0.0.1. */
  readonly host: string;
  /** Further names in the Host header that the HTTP API answers to, without ports. TRIFOLD_HOSTS. */
  readonly hosts: readonly string[];
  /** Port of the HTTP API; 0 takes a free one. TRIFOLD_PORT. */
  readonly port: number;
  /** Data directory. TRIFOLD_DATA, default ./.trifold. */
  readonly dataDirectory: string;
  /** What answered work survives. TRIFOLD_DURABILITY, default `power`. */
  readonly durability: Durability;
  /** Port of the control plane for kubectl; 0, the default, takes a free one. TRIFOLD_KUBE_PORT. */
  readonly kubePort: number;
  /** TRIFOLD_LOG_LEVEL. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Keys of the first account, instead of generated ones; never printed. TRIFOLD_LIVE_KEY. */
  readonly presetKeys: { readonly live: string | undefined; readonly test: string | undefined };
}

export interface StandaloneConfig {
  readonly process: ProcessConfig;
  readonly gateway: GatewayConfig;
  readonly controller: ControllerConfig;
  readonly renderer: RendererConfig;
}

/** Reads the whole configuration of the standalone process. Throws ConfigError with all problems at once. */
export function loadStandaloneConfig(environment: Environment): StandaloneConfig {
  const [own, gateway, controller, renderer] = readTogether([
    () => loadProcessConfig(environment),
    () => loadGatewayConfig(environment),
    () => loadControllerConfig(environment),
    () => loadRendererConfig(environment),
  ]);
  return Object.freeze({ process: own, gateway, controller, renderer });
}

function loadProcessConfig(environment: Environment): ProcessConfig {
  const { liveKey, testKey, ...rest } = readSettings<Omit<ProcessConfig, 'presetKeys'> & PresetKeys>(
    environment,
    {
      host: { variable: 'TRIFOLD_HOST', parse: plainText },
      hosts: { variable: 'TRIFOLD_HOSTS', parse: listOf(hostName), fallback: [] },
      port: { variable: 'TRIFOLD_PORT', parse: wholeNumber(0, 65_535) },
      dataDirectory: { variable: 'TRIFOLD_DATA', parse: plainText },
      durability: { variable: 'TRIFOLD_DURABILITY', parse: oneOf('power', 'process') },
      kubePort: { variable: 'TRIFOLD_KUBE_PORT', parse: wholeNumber(0, 65_535) },
      logLevel: {
        variable: 'TRIFOLD_LOG_LEVEL',
        parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
      },
      liveKey: { variable: 'TRIFOLD_LIVE_KEY', parse: keyParser('live'), fallback: undefined },
      testKey: { variable: 'TRIFOLD_TEST_KEY', parse: keyParser('test'), fallback: undefined },
    },
  );
  return Object.freeze({ ...rest, presetKeys: { live: liveKey, test: testKey } });
}

interface PresetKeys {
  readonly liveKey: string | undefined;
  readonly testKey: string | undefined;
}

function hostName(text: string): string {
  const name = text.trim().toLowerCase();
  if (URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name) return name;
  throw new RangeError(
    `must be names such as docs.example.com, without scheme and port, separated by commas, not ${JSON.stringify(text)}`,
  );
}

/** The message omits the value: it may be most of a real key. */
function keyParser(mode: 'live' | 'test'): (text: string) => string {
  return (text) => {
    if (isKey(text) && text.startsWith(`tf_${mode}_`)) return text;
    throw new RangeError(`must be tf_${mode}_ followed by 43 letters and digits`);
  };
}
