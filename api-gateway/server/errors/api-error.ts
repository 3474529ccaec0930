/** One place in a request that is wrong. */
export interface ErrorDetail {
  /** JSON Pointer (RFC 6901) into the body, or into the query for query parameters; a missing member is named in it. */
  readonly path: string;
  readonly message: string;
}

/**
 * HTTP status of every error the API answers with. The codes are part of the interface: append, never rename or reuse.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_cursor: 400,
  missing_key: 401,
  invalid_key: 401,
  insufficient_scope: 401,
  different_key: 403,
  scope_not_held: 403,
  live_key_required: 403,
  route_not_found: 404,
  template_not_found: 404,
  document_not_found: 404,
  batch_not_found: 404,
  api_key_not_found: 404,
  webhook_not_found: 404,
  hook_not_found: 404,
  delivery_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  not_ready: 409,
  generation_failed: 409,
  not_failed: 409,
  too_many_hooks: 409,
  expired: 410,
  body_too_large: 413,
  template_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  data_invalid: 422,
  template_archived: 422,
  template_does_not_compile: 422,
  template_unusable: 422,
  invalid_schema: 422,
  not_a_letter: 422,
  merge_failed: 422,
  merge_too_large: 422,
  merge_timeout: 422,
  not_supported_yet: 422,
  options_invalid: 400,
  idempotency_key_reused: 422,
  too_many_jobs: 429,
  too_many_tests: 429,
  rate_limited: 429,
  too_many_uploads: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;

/** Stable code of an error, for programs. */
export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ApiErrorOptions {
  /** When it is not the one of the code: a failed generation is 409 on download, 422 where the file was asked for. */
  readonly statusCode?: number;
  readonly details?: readonly ErrorDetail[];
  /** Response headers that belong to the error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the body beside the common ones. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A request that is refused: what the caller did, and what to do about it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.statusCode = options.statusCode ?? ERROR_STATUS[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }

  /** The same request may succeed later. */
  get retryable(): boolean {
    return this.statusCode === 503 || this.statusCode === 429;
  }
}

/** The service, or something it stands on, is away; the caller is told when to try again. */
export function unavailable(message: string, retryAfterMs = 1000, cause?: unknown): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('unavailable', message, { headers: { 'retry-after': String(seconds) }, cause });
}
