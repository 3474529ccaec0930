import { errors, type Dispatcher } from 'undici';
import { ObjectStoreError, type ObjectStoreErrorCode } from '../port.ts';
import { adviceFor, networkAdvice, NOT_HTTP_ADVICE, proxyAdvice } from './s3-advice.ts';
import type { S3Operation } from './s3-operation.ts';
import { firstText, parseXml } from './s3-xml.ts';

/** Maximum number of characters to read from an error response body. */
const BODY_LIMIT = 64 * 1024;
const MESSAGE_LIMIT = 200;

const CODES: Readonly<Record<string, ObjectStoreErrorCode>> = {
  XMinioStorageFull: 'no_space',
  XMinioAdminBucketQuotaExceeded: 'no_space',
  QuotaExceeded: 'no_space',
  MetadataTooLarge: 'invalid_metadata',
  KeyTooLongError: 'invalid_key',
  XMinioInvalidObjectName: 'invalid_key',
};

/** An error response from the store. */
export class S3Error extends ObjectStoreError {
  readonly status: number;
  /** S3 error code such as NoSuchKey; derived from the status for a response to HEAD; empty when there is none. */
  readonly s3Code: string;

  /** @param details.message The store's message. @param details.advice What to do. */
  constructor(
    what: string,
    status: number,
    s3Code: string,
    { message = '', advice }: { readonly message?: string; readonly advice?: string | undefined } = {},
  ) {
    const code = CODES[s3Code] ?? (status === 507 ? 'no_space' : 'unavailable');
    const said = [`HTTP ${status}`, s3Code, message.slice(0, MESSAGE_LIMIT)].filter(Boolean).join(': ');
    super(code, `object store: ${what}: ${said}${advice ? `; ${advice}` : ''}`);
    this.status = status;
    this.s3Code = s3Code;
  }

  /** Whether the store reports that the object does not exist; a proxy's 404 page does not count. */
  get isMissingObject(): boolean {
    return this.status === 404 && (this.s3Code === 'NoSuchKey' || this.s3Code === 'NotFound');
  }
}

interface FailedRequest {
  readonly what: string;
  readonly method: string;
  readonly operation: S3Operation;
}

/** Reads as much of an error response as arrives. `proxy` is the proxy that may have sent it. Never rejects. */
export async function readS3Error(
  { what, method, operation }: FailedRequest,
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  proxy?: URL,
): Promise<S3Error> {
  const text = await textOf(body);
  const xml = parseXml(text);
  const header = (name: string) => headers[name]?.toString() ?? '';
  const code = firstText(xml, 'Code') ?? header('x-minio-error-code');
  const message = firstText(xml, 'Message') ?? header('x-minio-error-desc');
  const s3Code = code || codeOfStatus(method, status, header('content-type'));
  const region = firstText(xml, 'Region');
  const advice = adviceFor(operation, { status, s3Code, region, header, text }, proxy);
  return new S3Error(what, status, s3Code, { message, advice });
}

/** Responses to HEAD have no body with an error code. */
function codeOfStatus(method: string, status: number, contentType: string): string {
  if (method !== 'HEAD' || contentType.startsWith('text/')) return '';
  if (status === 301) return 'PermanentRedirect';
  if (status === 404) return 'NotFound';
  return status === 403 ? 'AccessDenied' : '';
}

async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  body.on('error', () => {});
  try {
    // Leaving the loop destroys the response and its connection.
    for await (const piece of body.setEncoding('utf8')) if ((text += piece).length > BODY_LIMIT) break;
  } catch {
    // The body was cut off: only the status is available.
  }
  return text;
}

/** Resolves like `outcome`, or with `instead` when the store returns an error that `matches`. */
export async function unless<T, Instead>(
  outcome: Promise<T>,
  matches: (error: S3Error) => boolean,
  instead: Instead,
): Promise<T | Instead> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof S3Error && matches(error)) return instead;
    throw error;
  }
}

/** Converts a failure without a response to an ObjectStoreError. `proxy` is the proxy that was used. */
export function networkError(what: string, error: unknown, proxy?: URL): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  // Parser errors contain part of the response, which may be a document: they must not be logged.
  const isUnparsable = error instanceof errors.HTTPParserError;
  const said = code === 'UND_ERR_BODY_TIMEOUT' ? 'the store stopped responding' : message;
  const reason = [code, said].filter(Boolean).join(': ') || 'no connection';
  const advice = proxy ? proxyAdvice(proxy) : isUnparsable ? NOT_HTTP_ADVICE : networkAdvice(code);
  return new ObjectStoreError(
    'unavailable',
    `object store: ${what}: ${reason}${advice ? `; ${advice}` : ''}`,
    isUnparsable ? undefined : error,
  );
}

/** Returns the error for a response that is not from S3, such as a proxy's page. */
export function badResponse(what: string, reason: string): ObjectStoreError {
  return new ObjectStoreError('unavailable', `object store: ${what}: ${reason}`);
}

/** Codes for requests that the store did not execute. MinIO denies some puts while it deletes the prefix. */
const NOT_EXECUTED =
  /^(AccessDenied|SlowDown|ServiceUnavailable|XMinioServerNotInitialized|ConditionalRequestConflict|OperationAborted|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

/**
 * Whether a request that failed with this error may be retried immediately. A request that is not idempotent is retried
 * only when it was certainly not executed.
 */
export function isWorthRepeating(error: unknown, idempotent: boolean): boolean {
  if (error instanceof S3Error) {
    return NOT_EXECUTED.test(error.s3Code) || (idempotent && (error.status >= 500 || error.status === 429));
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  return NOT_EXECUTED.test(code) || (idempotent && code !== '');
}
