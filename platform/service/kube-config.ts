import type { KubeConfig } from '@kubernetes/client-node';
import { ConfigError } from './config.ts';
import { loadKubeConfig } from '../kubernetes/client/http-transport.ts';

/** The cluster a service is told of: `KUBECONFIG`, or that of its pod. Throws ConfigError, which says what is wrong with it. */
export function readKubeConfig(): KubeConfig {
  try {
    return loadKubeConfig();
  } catch (error) {
    throw new ConfigError([(error as Error).message]);
  }
}
