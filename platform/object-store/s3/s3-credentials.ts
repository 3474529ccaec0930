import { readFile } from 'node:fs/promises';
import type { Environment } from '../../settings/read-settings.ts';
import { firstText, parseXml } from './s3-xml.ts';
import type { Fetch } from '../../outbound/proxied-fetch.ts';

/** Currently valid keys. Never log them. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only in temporary credentials. */
  readonly sessionToken?: string;
  /** Expiry of temporary credentials, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Returns valid credentials. Rejects with an error that contains no secret. */
export type CredentialSource = () => Promise<S3Credentials>;

interface TemporaryCredentials extends S3Credentials {
  readonly expiresAt: number;
}

const TIMEOUT_MS = 5000;
/** Background renewal of credentials starts this long before they expire. Amazon has new ones ready by then. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Credentials are not used in the last seconds before they expire. */
const UNUSED_BEFORE_MS = 10_000;
/** Pause after a failed renewal while the old credentials are valid. */
const RETRY_AFTER_MS = 10_000;
const SET_KEYS = 'without a workload identity, set TRIFOLD_S3_ACCESS_KEY and TRIFOLD_S3_SECRET_KEY';

/**
 * Returns the credentials of the pod's workload identity, from the first source that the standard AWS variables
 * describe: a web identity token (service accounts of EKS and other clusters, also for MinIO), or EKS Pod Identity. They
 * are requested with `send` when first needed and renewed before they expire.
 */
export function podCredentials(environment: Environment, region: string, send: Fetch): CredentialSource {
  if (environment['AWS_WEB_IDENTITY_TOKEN_FILE']) {
    return renewed('the web identity token', () => fromWebIdentity(environment, region, send));
  }
  if (environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']) {
    return renewed('EKS Pod Identity', () => fromPodIdentity(environment));
  }
  return () => Promise.reject(new Error(`no credentials: ${SET_KEYS}`));
}

async function fromWebIdentity(
  environment: Environment,
  region: string,
  send: Fetch,
): Promise<TemporaryCredentials> {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file = '', AWS_ROLE_ARN: role, AWS_REGION } = environment;
  const endpoint = environment['AWS_ENDPOINT_URL_STS'] || `https://sts.${AWS_REGION || region}.amazonaws.com`;
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    ...(role && { RoleArn: role, RoleSessionName: environment['AWS_ROLE_SESSION_NAME'] || 'trifold' }),
    WebIdentityToken: (await readFile(file, 'utf8')).trim(),
  });
  const xml = parseXml(await responseOf(send, endpoint, { method: 'POST', body }));
  return credentialsOf((name) => firstText(xml, name));
}

/** The agent is on the node: never through a proxy. */
async function fromPodIdentity(environment: Environment): Promise<TemporaryCredentials> {
  const { AWS_CONTAINER_CREDENTIALS_FULL_URI: url = '', AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file = '' } =
    environment;
  const authorization = (await readFile(file, 'utf8')).trim();
  const answer = parseJson(await responseOf(fetch, url, { headers: { authorization } }));
  return credentialsOf((name) => answer[name === 'SessionToken' ? 'Token' : name]);
}

/** JSON.parse's message would quote part of the response. */
function parseJson(text: string): Readonly<Record<string, string | undefined>> {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return {};
  }
}

function credentialsOf(member: (name: string) => string | undefined): TemporaryCredentials {
  const [accessKeyId, secretAccessKey] = [member('AccessKeyId'), member('SecretAccessKey')];
  const sessionToken = member('SessionToken');
  const expiresAt = Date.parse(member('Expiration') ?? '');
  if (accessKeyId && secretAccessKey && sessionToken && !Number.isNaN(expiresAt)) {
    return { accessKeyId, secretAccessKey, sessionToken, expiresAt };
  }
  throw new Error('the response has no credentials');
}

async function responseOf(send: Fetch, url: string, init: RequestInit): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await send(url, { ...init, redirect: 'error', signal });
  const text = await response.text();
  if (response.ok) return text;
  const xml = parseXml(text);
  const [code = '', message = ''] = [firstText(xml, 'Code'), firstText(xml, 'Message')];
  throw new Error([`HTTP ${response.status}`, code, message.slice(0, 200)].filter(Boolean).join(': '));
}

/** Caches the credentials that `load` returns, and loads new ones before they expire, once for all callers. */
function renewed(source: string, load: () => Promise<TemporaryCredentials>): CredentialSource {
  let current: TemporaryCredentials | undefined;
  let renewal: Promise<TemporaryCredentials> | undefined;
  let retryAt = 0;
  const renew = async () => {
    try {
      return (current = await load());
    } catch (cause) {
      retryAt = Date.now() + RETRY_AFTER_MS;
      const { message, cause: reason } = cause as Error;
      const why = reason instanceof Error ? reason.message : message;
      throw new Error(`no credentials from ${source}: ${why}; ${SET_KEYS}`, { cause });
    } finally {
      renewal = undefined;
    }
  };
  return async () => {
    const leftMs = (current?.expiresAt ?? 0) - Date.now();
    const isValid = leftMs >= UNUSED_BEFORE_MS;
    if (current && isValid && (leftMs >= RENEW_BEFORE_MS || Date.now() < retryAt)) return current;
    renewal ??= renew();
    // A failure matters only to a waiting caller.
    renewal.catch(() => {});
    return current && isValid ? current : renewal;
  };
}
