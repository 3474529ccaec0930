import { ObjectStoreError, type ObjectStoreErrorCode } from '../port.ts';
import { S3Error } from './s3-error.ts';

const WRONG_KEYS =
  'the store does not accept the keys: check TRIFOLD_S3_ACCESS_KEY and TRIFOLD_S3_SECRET_KEY';
const WRONG_REGION = 'the bucket is in another region: set TRIFOLD_S3_REGION';

/** Advice for operators by S3 error code. */
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist: make it, or check TRIFOLD_S3_BUCKET',
  AccessDenied:
    'access denied: the access key needs s3:ListBucket on the bucket and s3:GetObject, s3:PutObject, s3:DeleteObject on its objects',
  InvalidAccessKeyId: WRONG_KEYS,
  SignatureDoesNotMatch: WRONG_KEYS,
  RequestTimeTooSkewed: 'the clocks of this machine and of the store differ by more than 15 minutes',
  AuthorizationHeaderMalformed: WRONG_REGION,
  PermanentRedirect: WRONG_REGION,
  IllegalLocationConstraintException: WRONG_REGION,
  NotImplemented: 'the store lacks what is needed, such as conditional writes (If-None-Match)',
};

const NO_SPACE = new Set(['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded']);
const OTHER_CODES: Readonly<Record<string, ObjectStoreErrorCode>> = {
  MetadataTooLarge: 'invalid_metadata',
  KeyTooLongError: 'invalid_key',
  XMinioInvalidObjectName: 'invalid_key',
};

const NOT_HTTP = 'the other side does not speak HTTP: check TRIFOLD_S3_ENDPOINT (http:// or https://, port)';
const UNTRUSTED =
  'the certificate of the store is not trusted: name its authority in the file of NODE_EXTRA_CA_CERTS';

/** Advice for operators by network error code, for failures without a response. */
const NETWORK_ADVICE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host: check TRIFOLD_S3_ENDPOINT',
  EPROTO: NOT_HTTP,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the store is for another name than in TRIFOLD_S3_ENDPOINT',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** Converts an S3 or network error to an ObjectStoreError. */
export function s3StoreError(what: string, error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  if (error instanceof S3Error) {
    return new ObjectStoreError(codeOf(error), `object store: ${what}: ${reasonOf(error)}`, error);
  }
  const reason = networkReasonOf(error as NodeJS.ErrnoException);
  return new ObjectStoreError('unavailable', `object store: ${what}: ${reason}`, withoutPacket(error));
}

function networkReasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  const advice = code.startsWith('HPE_') ? NOT_HTTP : NETWORK_ADVICE[code];
  if (advice) return `${advice} (${code})`;
  return [code, message].filter(Boolean).join(': ') || 'no connection';
}

/** Removes the unparsed part of a response from the error: it may be part of a document and must not be logged. */
function withoutPacket(error: unknown): unknown {
  if (error instanceof Error && 'rawPacket' in error) delete error.rawPacket;
  return error;
}

/** The store did not execute the request. */
const REFUSED_FOR_NOW = new Set([
  'SlowDown',
  'SlowDownRead',
  'SlowDownWrite',
  'ServiceUnavailable',
  'XMinioServerNotInitialized',
  'ConditionalRequestConflict',
  'OperationAborted',
]);
const UNSENT = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The store may have executed the request. */
const PASSING_STATUS = new Set([429, 500, 502, 503, 504]);
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * Whether a request that failed with this error may be retried at once. A request that is not idempotent is retried
 * only when it was certainly not executed.
 */
export function isWorthRepeating(error: unknown, idempotent: boolean): boolean {
  if (error instanceof S3Error) {
    return REFUSED_FOR_NOW.has(error.code) || (idempotent && PASSING_STATUS.has(error.status));
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  return UNSENT.has(code) || (idempotent && CUT.has(code));
}

function codeOf({ status, code }: S3Error): ObjectStoreErrorCode {
  if (status === 507 || NO_SPACE.has(code)) return 'no_space';
  return OTHER_CODES[code] ?? 'unavailable';
}

function reasonOf({ status, code, message, region }: S3Error): string {
  const advice = ADVICE[code] ?? (status === 301 ? WRONG_REGION : undefined);
  const where = advice === WRONG_REGION && region ? ` (the store says ${region})` : '';
  const said = [code, advice ? '' : message].filter(Boolean).join(': ');
  return `${advice ?? 'refused'}${where} (HTTP ${status}${said && `, ${said}`})`;
}
