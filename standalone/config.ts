import { loadControllerConfig } from '@trifold/controller/config.ts';
import { loadGatewayConfig } from '@trifold/api-gateway/config.ts';
import { readSettings, readTogether, type Environment } from '@trifold/platform/settings/read-settings.ts';
import { loadRendererConfig } from '@trifold/renderer/config.ts';

export type StandaloneConfig = ReturnType<typeof loadStandaloneConfig>;

/** Reads the whole configuration of the standalone process. Throws ConfigError with all problems. */
export function loadStandaloneConfig(environment: Environment) {
  const [own, gateway, controller, renderer] = readTogether([
    () => loadProcessConfig(environment),
    () => loadGatewayConfig(environment),
    () => loadControllerConfig(environment),
    () => loadRendererConfig(environment),
  ]);
  return Object.freeze({ process: own, gateway, controller, renderer });
}

function loadProcessConfig(environment: Environment) {
  const { host, liveKey, testKey, ...own } = readSettings(environment, {
    host: 'TRIFOLD_HOST',
    hosts: 'TRIFOLD_HOSTS',
    port: 'TRIFOLD_PORT',
    dataDirectory: 'TRIFOLD_DATA',
    durability: 'TRIFOLD_DURABILITY',
    kubePort: 'TRIFOLD_KUBE_PORT',
    logLevel: 'TRIFOLD_LOG_LEVEL',
    liveKey: 'TRIFOLD_LIVE_KEY',
    testKey: 'TRIFOLD_TEST_KEY',
  });
  return Object.freeze({ ...own, host: host ?? '127.0.0.1', presetKeys: { live: liveKey, test: testKey } });
}
