/** Meaning of a code. */
export interface ErrorCodeDescription {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Cause, for the documentation of the API. Markdown. */
  readonly meaning: string;
}

/**
 * Every error code that the API answers with. Codes are part of the interface: append, never rename or reuse. The remedy of
 * each is in docs/errors.md.
 */
export const ERROR_CODES = {
  invalid_json: { status: 400, meaning: 'The body is not JSON, or is JSON that cannot be stored as sent.' },
  invalid_request: {
    status: 400,
    meaning: 'A member, parameter or header is missing, unknown or has a wrong value.',
  },
  invalid_cursor: {
    status: 400,
    meaning: 'The cursor is not from this list, this account or these filters.',
  },
  missing_key: { status: 401, meaning: 'The request has no API key.' },
  invalid_key: { status: 401, meaning: 'The API key is unknown or revoked.' },
  cross_site_request: { status: 401, meaning: 'A page of another site used a session of the dashboard.' },
  session_ended: { status: 401, meaning: 'The session of the dashboard ended.' },
  invalid_sign_in_link: { status: 401, meaning: 'The sign-in link was used or expired.' },
  insufficient_scope: { status: 401, meaning: 'The API key lacks a scope.' },
  insecure_sign_in: { status: 403, meaning: 'The sign-in page came over plain http from another machine.' },
  different_key: { status: 403, meaning: 'Another API key made the document.' },
  scope_not_held: { status: 403, meaning: 'A key would grant a scope that it does not hold.' },
  live_key_required: { status: 403, meaning: 'A test key cannot create a live key.' },
  route_not_found: { status: 404, meaning: 'The service has nothing at this path.' },
  template_not_found: { status: 404, meaning: 'The account has no such template.' },
  version_not_found: {
    status: 404,
    meaning:
      'The template has no such version, or it is no longer stored. 422 where a request for documents names it.',
  },
  document_not_found: { status: 404, meaning: 'The account has no such document.' },
  batch_not_found: { status: 404, meaning: 'The account has no such batch, or the batch has no such item.' },
  api_key_not_found: { status: 404, meaning: 'The account has no such API key.' },
  webhook_not_found: { status: 404, meaning: 'The account has no webhook.' },
  hook_not_found: { status: 404, meaning: 'The account has no such hook.' },
  delivery_not_found: {
    status: 404,
    meaning: 'The account has no such delivery, or the log no longer keeps it.',
  },
  method_not_allowed: { status: 405, meaning: 'The path does not take this method.' },
  request_timeout: { status: 408, meaning: 'The request did not arrive in time.' },
  conflict: { status: 409, meaning: 'Somebody else changed the resource at the same moment.' },
  not_ready: { status: 409, meaning: 'The document is not completed.' },
  generation_failed: {
    status: 409,
    meaning: 'The document failed, so it has no file. 422 where the request asked for the file.',
  },
  not_failed: { status: 409, meaning: 'The delivery has not failed, or another attempt would be useless.' },
  preview_superseded: { status: 409, meaning: 'A newer preview of the same session replaced this one.' },
  too_many_hooks: { status: 409, meaning: 'The account has the maximum number of hooks.' },
  too_many_templates: { status: 409, meaning: 'The account has the maximum number of templates.' },
  too_many_api_keys: { status: 409, meaning: 'The account has the maximum number of API keys.' },
  expired: { status: 410, meaning: 'The document is older than 24 hours.' },
  document_deleted: { status: 410, meaning: 'The document was deleted.' },
  version_conflict: {
    status: 412,
    meaning: 'The template has another version than the header `If-Match` names.',
  },
  body_too_large: {
    status: 413,
    meaning: "The body, or the data with the schema's defaults, exceeds the limit.",
  },
  template_too_large: { status: 413, meaning: '`html` and `css` together exceed the limit.' },
  uri_too_long: { status: 414, meaning: 'A part of the path is too long.' },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json` in UTF-8, or it is compressed.',
  },
  expectation_failed: { status: 417, meaning: 'The header `Expect` is not `100-continue`.' },
  unknown_host: { status: 421, meaning: 'The `Host` header is not a name of the standalone service.' },
  data_invalid: { status: 422, meaning: 'The data violates the schema of the template.' },
  template_archived: { status: 422, meaning: 'The template is archived.' },
  template_does_not_compile: {
    status: 422,
    meaning: 'The template, or a part of the email, is not valid Handlebars.',
  },
  template_unusable: { status: 422, meaning: 'The stored template cannot be read.' },
  invalid_schema: { status: 422, meaning: 'The data schema cannot be used.' },
  not_a_letter: { status: 422, meaning: 'The template has no member `email`.' },
  merge_failed: { status: 422, meaning: 'The email template fails with this data.' },
  merge_too_large: { status: 422, meaning: 'A part of the email exceeds the limit.' },
  merge_timeout: { status: 422, meaning: 'Compiling the email takes too long.' },
  batch_not_deletable: { status: 422, meaning: 'The documents of a batch cannot be deleted.' },
  not_supported_yet: { status: 422, meaning: 'Not implemented in this version.' },
  options_invalid: {
    status: 400,
    meaning:
      "The options leave no room, contradict each other, or name an unknown locale. 422 where the template's are the reason.",
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The `Idempotency-Key` was sent before with another body.',
  },
  too_many_jobs: { status: 429, meaning: 'The account has the maximum number of unfinished documents.' },
  too_many_previews: { status: 429, meaning: 'Too many previews of the account are in progress.' },
  too_many_tests: { status: 429, meaning: 'Too many webhook tests of the account are in progress.' },
  rate_limited: { status: 429, meaning: 'The API key exceeded its rate limit.' },
  too_many_uploads: {
    status: 429,
    meaning: 'The unfinished requests of the API key hold the maximum number of bytes.',
  },
  too_many_downloads: {
    status: 429,
    meaning: 'The unread responses of the API key, or of the connection, are too many or too large.',
  },
  headers_too_large: { status: 431, meaning: 'The headers of the request are too large.' },
  internal_error: { status: 500, meaning: 'A defect of the service.' },
  unavailable: { status: 503, meaning: 'The service, or a service that it needs, is not available.' },
  storage_full: { status: 507, meaning: 'The account stores the maximum number of bytes.' },
} as const satisfies Readonly<Record<string, ErrorCodeDescription>>;

/** Stable code of an error, for programs. */
export type ErrorCode = keyof typeof ERROR_CODES;
