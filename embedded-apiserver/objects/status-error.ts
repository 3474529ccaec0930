import type { ApiStatus } from '@trifold/platform/kubernetes/client/api-error.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import type { FieldError } from './field-error.ts';

/** The object or resource that an error is about, for the `details` of the Status. */
export interface Subject {
  readonly group: string;
  /** The plural for errors by name, the kind for invalid objects, as in the API server. */
  readonly resource: string;
  readonly name: string;
}

/** A failed request. Can be thrown anywhere below the handler, which returns its Status. */
export class StatusError extends TrifoldError<number> {
  readonly status: ApiStatus;

  constructor(status: Omit<ApiStatus, 'kind' | 'apiVersion' | 'metadata' | 'status'>) {
    const { message, reason, details, code } = status;
    super(code, message ?? '', { retryable: code === 429 || code >= 500 });
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      ...(message !== undefined && { message }),
      ...(reason !== undefined && { reason }),
      ...(details !== undefined && { details }),
      code,
    };
  }
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function forbiddenRequest(
  subject: Subject,
  message: string,
  causes?: { reason: string; message: string; field: string }[],
): StatusError {
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualified(subject)} is forbidden: ${message}`,
    details: { ...detailsOf(subject), ...(causes && { causes }) },
  });
}

export function notFound(subject: Subject): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(subject)} not found`,
    details: detailsOf(subject),
  });
}

/** The path does not name a resource. */
export function unknownPath(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

export function methodNotAllowed(): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

export function notAcceptable(supported: readonly string[]): StatusError {
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${supported.join(', ')}`,
  });
}

export function alreadyExists(subject: Subject): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(subject)} already exists`,
    details: detailsOf(subject),
  });
}

export function conflict(subject: Subject, message: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(subject)}: ${message}`,
    details: detailsOf(subject),
  });
}

/** The reader's revision has been compacted. */
export function expired(message: string): StatusError {
  return new StatusError({ code: 410, reason: 'Expired', message });
}

export function tooLarge(limit: number): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limit}`,
  });
}

export function unsupportedMediaType(supported: readonly string[]): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${supported.join(', ')}`,
  });
}

export function invalidObject(subject: Subject, errors: readonly FieldError[]): StatusError {
  const prose = errors.map((error) => `${error.field}: ${error.message}`);
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `${qualified(subject)} is invalid: ${prose.length === 1 ? prose[0] : `[${prose.join(', ')}]`}`,
    details: {
      ...detailsOf(subject),
      causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  });
}

/** The patch does not apply to the current object. */
export function unprocessable(): StatusError {
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
}

/** The requested revision is newer than the current one. */
export function tooLargeResourceVersion(asked: number, current: number): StatusError {
  const message = `Too large resource version: ${asked}, current: ${current}`;
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

/** A server failure, or one of the few client errors that the API server reports as 500. */
export function internalError(message: string): StatusError {
  return new StatusError({ code: 500, message });
}

function qualified({ group, resource, name }: Subject): string {
  return `${group === '' ? resource : `${resource}.${group}`} ${JSON.stringify(name)}`;
}

function detailsOf({ group, resource, name }: Subject): { name?: string; group?: string; kind: string } {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: resource };
}
