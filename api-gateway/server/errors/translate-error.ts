import type { ErrorObject } from 'ajv';
import type { FastifyError } from 'fastify';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';
import { ApiError, unavailable } from './api-error.ts';
import type { RequestErrorCode } from '@trifold/platform/errors/error-codes.ts';
import { detailsOf } from './validation-details.ts';

/** Limits that error messages name. */
export interface RequestLimits {
  readonly maxBodyBytes: number;
}

/** Converts anything thrown into the caller's error. Only unexpected errors become a 500. */
export function toApiError(error: unknown, limits: RequestLimits): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof KubernetesApiError) return fromKubernetes(error);
  if (error instanceof ObjectStoreError && error.retryable) {
    return unavailable('The object store is unavailable. Try again in a moment.', undefined, error);
  }
  if (error instanceof ChildProcessError) {
    const message =
      error.code === 'pool_full'
        ? 'This account has too many checks waiting. Try again in a moment.'
        : 'The request check did not finish. Try again.';
    return unavailable(message, undefined, error);
  }
  if (error instanceof TemplateSourceError) {
    const message = `The stored template cannot be used: ${error.message}. Update its html.`;
    return new ApiError('template_unusable', message, { cause: error });
  }
  return fromFastify(error as FastifyError, limits) ?? internal(error);
}

function fromKubernetes(error: KubernetesApiError): ApiError {
  if (error.retryable) {
    return unavailable('The API server is unavailable. Try again in a moment.', error.retryAfterMs, error);
  }
  switch (error.code) {
    case 409:
      return new ApiError(
        'conflict',
        'Another request changed the resource at the same time. Read it again and retry the change.',
        {
          cause: error,
        },
      );
    case 413:
      return new ApiError(
        'body_too_large',
        'The request is too large to be stored in the cluster. Send less data.',
        {
          cause: error,
        },
      );
    case 400:
    case 422:
      return rejectedByServer(error);
    default:
      // The namespace has been deleted or is terminating, or the gateway lacks a required permission.
      return unavailable(
        'The account is not accepting changes at the moment. Try again later.',
        undefined,
        error,
      );
  }
}

function rejectedByServer(error: KubernetesApiError): ApiError {
  const details = error.details?.causes?.map(({ field, message }) => ({
    path: `/${(field ?? '').replaceAll('.', '/')}`,
    message: message ?? 'is not valid',
  }));
  const message = `The request cannot be stored: ${error.message}`;
  return new ApiError('invalid_request', message, { ...(details && { details }), cause: error });
}

const LOCATIONS: Readonly<Record<string, string>> = {
  body: 'The body',
  querystring: 'The query',
  params: 'The path',
  headers: 'The headers',
};

const FASTIFY_CODES: Readonly<
  Record<string, { code: RequestErrorCode; message: (limits: RequestLimits) => string }>
> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body_too_large',
    message: ({ maxBodyBytes }) => `The body exceeds the limit of ${maxBodyBytes} bytes. Send less data.`,
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: () => 'The body must be JSON. Send it with Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_request',
    message: () => 'The body length does not match Content-Length.',
  },
  FST_ERR_BAD_URL: {
    code: 'invalid_request',
    message: () => 'The path is not a valid URL path. Check its percent-encoding.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'uri_too_long', message: () => 'A path segment is too long.' },
};

function fromFastify(error: FastifyError, limits: RequestLimits): ApiError | undefined {
  if (error.validation) return invalidRequest(error);
  const known = FASTIFY_CODES[error.code];
  if (known) return new ApiError(known.code, known.message(limits), { cause: error });
  const isClientError =
    typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
  return isClientError ? new ApiError('invalid_request', error.message, { cause: error }) : undefined;
}

function invalidRequest(error: FastifyError): ApiError {
  const details = detailsOf((error.validation ?? []) as ErrorObject[]);
  const [first] = details;
  const location = LOCATIONS[error.validationContext ?? 'body'] ?? 'The request';
  const others = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const message = `${location} is not valid: ${first?.path} ${first?.message}${others}.`.replace(
    ':  ',
    ': it ',
  );
  return new ApiError('invalid_request', message, { details });
}

function internal(error: unknown): ApiError {
  const message = 'The service failed unexpectedly. Try again. If the error persists, report the request_id.';
  return new ApiError('internal_error', message, { cause: error });
}
