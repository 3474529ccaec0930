import type { S3Operation } from './s3-operation.ts';

/** Larger differences between the clocks are reported. S3 services accept up to 15 minutes. */
const MAX_SKEW_MS = 5 * 60_000;
const MINUTE_MS = 60_000;

const CHECK_ENDPOINT = 'check TRIFOLD_S3_ENDPOINT (http:// or https://, host, port)';
const CHECK_REGION = "set TRIFOLD_S3_REGION to the bucket's region";
const CHECK_CA = "set NODE_EXTRA_CA_CERTS to a file with the store's certificate authority";

/** Advice by S3 error code, for any operation. */
const BY_S3_CODE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'create the bucket, or check TRIFOLD_S3_BUCKET',
  InvalidAccessKeyId: 'the store does not recognize TRIFOLD_S3_ACCESS_KEY: check the key and the endpoint',
  SignatureDoesNotMatch: 'TRIFOLD_S3_SECRET_KEY does not belong to TRIFOLD_S3_ACCESS_KEY: check both',
  AuthorizationHeaderMalformed: CHECK_REGION,
  PermanentRedirect: CHECK_REGION,
  RequestTimeTooSkewed: 'correct the clock of this machine or of the store (NTP)',
};

/** Advice by network error code. */
const BY_NETWORK_CODE: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, `the host name cannot be resolved: ${CHECK_ENDPOINT}`],
  [/^ECONNREFUSED$/, `no server listens there: ${CHECK_ENDPOINT}`],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'check the store, TRIFOLD_S3_ENDPOINT, firewalls and NetworkPolicies',
  ],
  [/^(EPROTO|ERR_SSL_)/, `the port may not use TLS: ${CHECK_ENDPOINT}`],
  [/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/, CHECK_CA],
  [/^CERT_HAS_EXPIRED$/, "renew the store's certificate"],
  [/^ERR_TLS_CERT_ALTNAME/, "use a host name in TRIFOLD_S3_ENDPOINT that is in the store's certificate"],
];

/** An unsuccessful response from the server. */
export interface Rejection {
  readonly status: number;
  /** Empty if the response does not have one. */
  readonly s3Code: string;
  /** The region that the store expects, if the response names it. */
  readonly region: string | undefined;
  readonly header: (name: string) => string;
  /** Start of the body. */
  readonly text: string;
}

/**
 * Returns the advice for a rejected request, most specific cause first; undefined if unknown. `proxy` is the proxy that
 * may have sent the response.
 */
export function adviceFor(operation: S3Operation, rejection: Rejection, proxy?: URL): string | undefined {
  return (
    skewAdvice(rejection) ??
    regionAdvice(operation, rejection) ??
    BY_S3_CODE[rejection.s3Code] ??
    operationAdvice(operation, rejection.s3Code) ??
    (proxy && rejection.s3Code === '' ? proxyAdvice(proxy) : endpointAdvice(rejection))
  );
}

/** Returns the advice for an S3 error code that depends on the operation. */
export function operationAdvice(
  { permission, isConditional }: S3Operation,
  s3Code: string,
): string | undefined {
  if (s3Code === 'AccessDenied') return `the credentials need ${permission}`;
  if (s3Code !== 'NotImplemented' || !isConditional) return undefined;
  return 'use a store that supports conditional writes (If-None-Match)';
}

/** Advice for a request without a usable response. */
export function networkAdvice(code: string): string | undefined {
  return BY_NETWORK_CODE.find(([codes]) => codes.test(code))?.[1];
}

/** Advice for a request that failed at a proxy. */
export function proxyAdvice({ origin }: URL): string {
  return `the request went through the proxy ${origin}: check HTTP_PROXY and HTTPS_PROXY, or add the host of TRIFOLD_S3_ENDPOINT to NO_PROXY`;
}

/** Advice for a response that is not HTTP. */
export const NOT_HTTP_ADVICE = `the server does not speak HTTP, or expects TLS: ${CHECK_ENDPOINT}`;

/** Problem with a store that writes even though a put's condition does not hold. */
export const IGNORES_CONDITIONS =
  'the store ignores If-None-Match, so two writers could overwrite each other: use a store that supports conditional writes';

/** Advice for a web page where S3 was expected. */
export const NOT_S3_ADVICE = `this is a web page, not an S3 service: ${CHECK_ENDPOINT}`;

/** A wrong clock looks like a wrong key to some stores. */
function skewAdvice({ status, header }: Rejection): string | undefined {
  return status === 403 || status === 400 ? clockAdvice(header('date')) : undefined;
}

/** Returns advice if the Date header of a response differs too much from this machine's clock. */
export function clockAdvice(date: string): string | undefined {
  const skewMs = Date.now() - Date.parse(date);
  if (!(Math.abs(skewMs) > MAX_SKEW_MS)) return undefined;
  const minutes = Math.round(Math.abs(skewMs) / MINUTE_MS);
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return `this machine's clock is ${minutes} minutes ${direction} the store's: correct it (NTP)`;
}

function regionAdvice({ region: ours }: S3Operation, { region, header }: Rejection): string | undefined {
  const theirs = region || header('x-amz-bucket-region');
  if (!theirs || theirs === ours || ours === undefined) return undefined;
  return `the bucket is in the region ${theirs}: set TRIFOLD_S3_REGION to it`;
}

function endpointAdvice({ status, s3Code, header, text }: Rejection): string | undefined {
  if (s3Code !== '' || status >= 500 || status === 429) return undefined;
  if (/HTTPS (server|port)/i.test(text)) return `the port expects TLS: use https:// in TRIFOLD_S3_ENDPOINT`;
  const isPage = header('content-type').startsWith('text/html') || (status >= 300 && status < 400);
  return isPage ? NOT_S3_ADVICE : `this is not a response from an S3 service: ${CHECK_ENDPOINT}`;
}
