import { ConfigError, readSettings, readTogether, type Environment } from '../../service/config.ts';
import { cloudCredentials, type CredentialSource } from './s3-credentials.ts';

/** An S3 bucket and the access to it. */
export interface S3Config {
  /** Such as `http://minio:9000`. TLS trusts the certificates that Node trusts (NODE_EXTRA_CA_CERTS adds to them). */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** The configured keys, otherwise the workload identity of the cloud. */
  readonly credentials: CredentialSource;
}

/** Amazon's rules for bucket names, which other stores share. */
const BUCKET = /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const CREDENTIAL = /^[\x21-\x7e]{1,1024}$/;

/** Reads the settings of the S3 object store. Throws ConfigError with all problems; no message contains a key. */
export function loadS3Config(environment: Environment): S3Config {
  const [{ accessKey, secretKey, ...location }] = readTogether([
    () =>
      readSettings<{
        endpoint: string;
        bucket: string;
        region: string;
        accessKey: string;
        secretKey: string;
      }>(environment, {
        endpoint: { variable: 'TRIFOLD_S3_ENDPOINT', parse: readEndpoint },
        bucket: { variable: 'TRIFOLD_S3_BUCKET', parse: readBucket },
        region: { variable: 'TRIFOLD_S3_REGION', parse: readRegion },
        accessKey: { variable: 'TRIFOLD_S3_ACCESS_KEY', parse: readCredential, fallback: '' },
        secretKey: { variable: 'TRIFOLD_S3_SECRET_KEY', parse: readCredential, fallback: '' },
      }),
    () => requireBothKeys(environment),
  ]);
  const credentials = accessKey
    ? async () => ({ accessKey, secretKey })
    : cloudCredentials(environment, location.region);
  return Object.freeze({ ...location, credentials });
}

function requireBothKeys(environment: Environment): void {
  const names = ['TRIFOLD_S3_ACCESS_KEY', 'TRIFOLD_S3_SECRET_KEY'];
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === 1)
    throw new ConfigError([`${missing[0]} must be set, because the other key is set`]);
}

function readEndpoint(text: string): string {
  if (text === '')
    throw new RangeError('must be set: the URL of the object store, such as http://minio:9000');
  // The message does not quote the value, which may contain a password.
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text) || !isOrigin(text)) {
    throw new RangeError(
      'must be http:// or https:// with a host and perhaps a port, and nothing else: the bucket and the keys are other settings',
    );
  }
  return new URL(text).origin;
}

function isOrigin(text: string): boolean {
  const { href, origin } = new URL(text);
  return href === `${origin}/` && !/[?#]/.test(text);
}

function readBucket(text: string): string {
  if (BUCKET.test(text)) return text;
  throw new RangeError(
    `must be 3 to 63 lowercase letters, digits, dots and hyphens, not ${JSON.stringify(text)}`,
  );
}

function readRegion(text: string): string {
  if (REGION.test(text)) return text;
  throw new RangeError(`must be a region such as us-east-1, not ${JSON.stringify(text)}`);
}

function readCredential(text: string): string {
  if (CREDENTIAL.test(text)) return text;
  throw new RangeError('must be printable ASCII without blanks (does it end with a line break?)');
}
