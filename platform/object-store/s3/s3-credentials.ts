import { readFile } from 'node:fs/promises';
import type { Environment } from '../../service/config.ts';
import { firstText } from './s3-xml.ts';

/** Keys that are valid now. Never log them. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Part of temporary credentials. */
  readonly sessionToken?: string;
  /** End of temporary credentials, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Returns valid credentials. Rejects with an error that contains no secret. */
export type CredentialSource = () => Promise<S3Credentials>;

interface TemporaryCredentials extends S3Credentials {
  readonly expiresAt: number;
}

const TIMEOUT_MS = 5000;
/** From this time before they expire, credentials are renewed in the background. Amazon has new ones ready by then. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Credentials are not used in the last seconds before they expire. */
const UNUSED_BEFORE_MS = 10_000;
/** Pause after a failed renewal while the old credentials are valid. */
const RETRY_AFTER_MS = 10_000;
const OR_KEYS = 'without a workload identity, set TRIFOLD_S3_ACCESS_KEY and TRIFOLD_S3_SECRET_KEY';

/**
 * Returns the credentials of the cloud's workload identity, from the first source that the standard AWS variables
 * describe: a web identity token (EKS service accounts, MinIO), a container's endpoint (ECS, EKS Pod Identity),
 * otherwise the metadata of the EC2 instance. They are requested when first needed and renewed before they expire.
 */
export function cloudCredentials(environment: Environment, region: string): CredentialSource {
  if (environment['AWS_WEB_IDENTITY_TOKEN_FILE']) {
    return renewed('the web identity token', () => fromWebIdentity(environment, region));
  }
  const relative = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const url = relative
    ? `http://169.254.170.2${relative}`
    : environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (url) return renewed("the container's endpoint", () => fromContainer(environment, url));
  return renewed('the instance metadata', () => fromInstance(environment));
}

async function fromWebIdentity(environment: Environment, region: string): Promise<TemporaryCredentials> {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file = '', AWS_ROLE_ARN: role, AWS_REGION } = environment;
  const endpoint = environment['AWS_ENDPOINT_URL_STS'] || `https://sts.${AWS_REGION || region}.amazonaws.com`;
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    ...(role && { RoleArn: role, RoleSessionName: environment['AWS_ROLE_SESSION_NAME'] || 'trifold' }),
    WebIdentityToken: (await readFile(file, 'utf8')).trim(),
  });
  const xml = await answerOf(endpoint, { method: 'POST', body });
  return credentialsOf((name) => firstText(xml, name));
}

async function fromContainer(environment: Environment, url: string): Promise<TemporaryCredentials> {
  const file = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  const token = file
    ? await readFile(file, 'utf8')
    : (environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] ?? '');
  return fromJson(await answerOf(url, { headers: token ? { authorization: token.trim() } : {} }));
}

async function fromInstance(environment: Environment): Promise<TemporaryCredentials> {
  const endpoint = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || 'http://169.254.169.254';
  const token = await answerOf(new URL('/latest/api/token', endpoint), {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
  });
  const headers = { 'x-aws-ec2-metadata-token': token };
  const roles = new URL('/latest/meta-data/iam/security-credentials/', endpoint);
  const [role = ''] = (await answerOf(roles, { headers })).split('\n');
  return fromJson(await answerOf(new URL(encodeURIComponent(role.trim()), roles), { headers }));
}

function fromJson(text: string): TemporaryCredentials {
  const answer = parseJson(text);
  return credentialsOf((name) => answer[name === 'SessionToken' ? 'Token' : name]);
}

/** The message of JSON.parse would quote a part of the response. */
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

async function answerOf(url: string | URL, init: RequestInit): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...init, redirect: 'error', signal });
  const text = await response.text();
  if (response.ok) return text;
  const [code = '', message = ''] = [firstText(text, 'Code'), firstText(text, 'Message')];
  throw new Error([`HTTP ${response.status}`, code, message.slice(0, 200)].filter(Boolean).join(': '));
}

/** Keeps the credentials that `load` returns, and loads new ones before they expire, once for all callers. */
function renewed(source: string, load: () => Promise<TemporaryCredentials>): CredentialSource {
  let current: TemporaryCredentials | undefined;
  let renewal: Promise<TemporaryCredentials> | undefined;
  let retryAt = 0;
  const expiresWithin = (ms: number) => !current || current.expiresAt - Date.now() < ms;
  const renew = async () => {
    try {
      return (current = await load());
    } catch (cause) {
      retryAt = Date.now() + RETRY_AFTER_MS;
      const { message, cause: reason } = cause as Error;
      const why = reason instanceof Error ? reason.message : message;
      throw new Error(`no credentials from ${source}: ${why}; ${OR_KEYS}`, { cause });
    } finally {
      renewal = undefined;
    }
  };
  return async () => {
    const expired = expiresWithin(UNUSED_BEFORE_MS);
    if (expired || (expiresWithin(RENEW_BEFORE_MS) && Date.now() >= retryAt)) {
      renewal ??= renew();
      // A failure matters only to a caller that waits.
      renewal.catch(() => {});
      if (expired) return renewal;
    }
    return current as TemporaryCredentials;
  };
}
