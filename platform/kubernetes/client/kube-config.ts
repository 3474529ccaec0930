import type { KubeConfig } from '@kubernetes/client-node';
import { ConfigError } from '../../settings/read-settings.ts';
import { loadKubeConfig } from './http-transport.ts';

/**
 * Reads the cluster's configuration from `KUBECONFIG` or the pod. Throws ConfigError if it is invalid.
 */
export function readKubeConfig(): KubeConfig {
  try {
    return loadKubeConfig();
  } catch (error) {
    throw new ConfigError([(error as Error).message]);
  }
}
