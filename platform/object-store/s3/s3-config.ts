import { proxiedFetch } from '../../outbound/proxied-fetch.ts';
import { loadProxies } from '../../outbound/proxies.ts';
import { ConfigError, readSettings, readTogether, type Environment } from '../../settings/read-settings.ts';
import { podCredentials, type CredentialSource } from './s3-credentials.ts';

/**
 * An S3 bucket and how to access it. TLS trusts the certificates that Node trusts (NODE_EXTRA_CA_CERTS adds to them).
 */
export type S3Config = ReturnType<typeof loadS3Config>;

/** Reads the settings of the S3 object store. Throws ConfigError with all problems; no message contains a key. */
export function loadS3Config(environment: Environment) {
  const [{ accessKeyId, secretAccessKey = '', ...location }, proxies] = readTogether([
    () =>
      readSettings(environment, {
        endpoint: 'TRIFOLD_S3_ENDPOINT',
        bucket: 'TRIFOLD_S3_BUCKET',
        region: 'TRIFOLD_S3_REGION',
        accessKeyId: 'TRIFOLD_S3_ACCESS_KEY',
        secretAccessKey: 'TRIFOLD_S3_SECRET_KEY',
      }),
    () => loadProxies(environment),
    () => requireBothKeys(environment),
  ]);
  /** The configured keys, or else the pod's workload identity. */
  const credentials: CredentialSource =
    accessKeyId === undefined
      ? podCredentials(environment, location.region, proxiedFetch(proxies))
      : async () => ({ accessKeyId, secretAccessKey });
  return Object.freeze({ ...location, credentials, proxies });
}

function requireBothKeys(environment: Environment): void {
  const names = ['TRIFOLD_S3_ACCESS_KEY', 'TRIFOLD_S3_SECRET_KEY'];
  const missing = names.filter((name) => !environment[name]);
  const present = names.filter((name) => environment[name]);
  if (missing.length === 1)
    throw new ConfigError([`${missing[0]} must be set, because ${present[0]} is set`]);
}
