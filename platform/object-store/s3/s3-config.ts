import {
  ConfigError,
  readSettings,
  readTogether,
  type Environment,
  type Setting,
} from '../../service/config.ts';

/** Address of the S3 endpoint. */
export interface S3Endpoint {
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** TLS, with the certificates that Node trusts (NODE_EXTRA_CA_CERTS adds to them). */
  readonly secure: boolean;
}

/** An S3 bucket and its credentials. Never log this. */
export interface S3Config {
  readonly endpoint: S3Endpoint;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Amazon's rules for bucket names, which other stores share. */
const BUCKET = /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const CREDENTIAL = /^[\x21-\x7e]{1,1024}$/;

/** Reads the settings of the S3 object store. Throws ConfigError with all problems; no message contains a key. */
export function loadS3Config(environment: Environment): S3Config {
  const settings: { readonly [Name in keyof Draft]: Setting<Draft[Name]> } = {
    endpoint: { variable: 'TRIFOLD_S3_ENDPOINT', parse: readEndpoint, fallback: undefined },
    bucket: { variable: 'TRIFOLD_S3_BUCKET', parse: readBucket },
    region: { variable: 'TRIFOLD_S3_REGION', parse: readRegion },
    accessKey: { variable: 'TRIFOLD_S3_ACCESS_KEY', parse: readCredential, fallback: undefined },
    secretKey: { variable: 'TRIFOLD_S3_SECRET_KEY', parse: readCredential, fallback: undefined },
  };
  const [config] = readTogether([
    () => readSettings<Draft>(environment, settings),
    () => requireAll(environment, REQUIRED),
  ]);
  return config as S3Config;
}

type Draft = { readonly [Name in keyof S3Config]: S3Config[Name] | undefined };

const REQUIRED = {
  TRIFOLD_S3_ENDPOINT: 'the URL of the object store, such as https://s3.example.com or http://minio:9000',
  TRIFOLD_S3_ACCESS_KEY: 'the access key of the object store',
  TRIFOLD_S3_SECRET_KEY: 'the secret key of the object store',
};

function requireAll(environment: Environment, variables: Readonly<Record<string, string>>): void {
  const missing = Object.entries(variables).filter(([variable]) => !environment[variable]);
  if (missing.length > 0) {
    throw new ConfigError(missing.map(([variable, meaning]) => `${variable} must be set: ${meaning}`));
  }
}

function readEndpoint(text: string): S3Endpoint {
  // The message does not quote the value, which may contain a password.
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) {
    throw new RangeError('must be http:// or https:// with a host and perhaps a port');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new RangeError(
      'must hold no user or password: keys go into TRIFOLD_S3_ACCESS_KEY and TRIFOLD_S3_SECRET_KEY',
    );
  }
  if (url.pathname !== '/' || /[?#]/.test(text)) {
    throw new RangeError('must have neither path nor query: the bucket goes into TRIFOLD_S3_BUCKET');
  }
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return Object.freeze({ host, port: Number(url.port) || (secure ? 443 : 80), secure });
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
