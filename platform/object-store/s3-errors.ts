import { ObjectStoreError, type ObjectStoreErrorCode } from './port.ts';
import { S3Refusal } from './s3-refusal.ts';

const WRONG_KEYS =
  'the store does not accept the keys: check TRIFOLD_S3_ACCESS_KEY and TRIFOLD_S3_SECRET_KEY';
const WRONG_REGION = 'the bucket is in another region: set TRIFOLD_S3_REGION';

/** What a person has to do about a code of S3. */
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

/** The store's error for whatever went wrong below it. */
export function s3StoreError(what: string, error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  if (error instanceof S3Refusal) {
    return new ObjectStoreError(codeOf(error), `object store: ${what}: ${reasonOf(error)}`, error);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = [code, message].filter(Boolean).join(': ') || 'no connection';
  return new ObjectStoreError('unavailable', `object store: ${what}: ${reason}`, error);
}

/** The request was not carried out. */
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
/** The request may have been carried out. */
const PASSING_STATUS = new Set([429, 500, 502, 503, 504]);
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * Whether a request that failed so may be sent once more at once. One that is not idempotent may only when it was
 * surely not carried out.
 */
export function isWorthRepeating(error: unknown, idempotent: boolean): boolean {
  if (error instanceof S3Refusal) {
    return REFUSED_FOR_NOW.has(error.code) || (idempotent && PASSING_STATUS.has(error.status));
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  return UNSENT.has(code) || (idempotent && CUT.has(code));
}

function codeOf({ status, code }: S3Refusal): ObjectStoreErrorCode {
  if (status === 507 || NO_SPACE.has(code)) return 'no_space';
  return OTHER_CODES[code] ?? 'unavailable';
}

function reasonOf({ status, code, message, region }: S3Refusal): string {
  const advice = ADVICE[code] ?? (status === 301 ? WRONG_REGION : undefined);
  const where = advice === WRONG_REGION && region ? ` (the store says ${region})` : '';
  const said = [code, advice ? '' : message].filter(Boolean).join(': ');
  return `${advice ?? 'refused'}${where} (HTTP ${status}${said && `, ${said}`})`;
}
