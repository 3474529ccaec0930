import { readFileSync } from 'node:fs';
import type { ClusterAccess } from './http-transport.ts';

/** The API server of a standalone service. */
export interface ServiceCluster {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly token: string;
}

const NAME = 'trifold';

/**
 * Returns a kubeconfig for one server and one token; the context's namespace is `default`. It is JSON, a subset of
 * YAML, so reading it requires no other package.
 */
export function serviceKubeConfig({ url, caCertificate, token }: ServiceCluster): string {
  const ca = Buffer.from(caCertificate).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: { server: url, 'certificate-authority-data': ca } }],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
    'current-context': NAME,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Reads a file that `serviceKubeConfig` wrote. Returns undefined for anything else, such as a cluster's kubeconfig. */
export function readServiceKubeConfig(file: string): ClusterAccess | undefined {
  const config = parsed(file);
  if (config?.['current-context'] !== NAME || config.clusters?.length !== 1) return undefined;
  const [{ cluster }] = config.clusters as [ClusterEntry];
  const token = config.users?.[0]?.user.token;
  if (token === undefined) return undefined;
  return {
    getCurrentCluster: () => ({ name: NAME, server: cluster.server, skipTLSVerify: false }),
    applyToHTTPSOptions: async (options) => {
      options.ca = Buffer.from(cluster['certificate-authority-data'], 'base64');
      options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
    },
  };
}

interface ClusterEntry {
  readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
}

interface KubeConfigFile {
  readonly clusters?: readonly ClusterEntry[];
  readonly users?: readonly { readonly user: { readonly token?: string } }[];
  readonly 'current-context'?: string;
}

function parsed(file: string): KubeConfigFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KubeConfigFile;
  } catch {
    return undefined;
  }
}
