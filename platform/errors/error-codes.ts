import { DOCUMENT_LIFETIME } from '@trifold/crds/retention.ts';

/* oxlint-disable max-lines -- one table that is read from top to bottom, one entry for each code */
/** One error code. A code has one meaning wherever it appears. */
export interface ErrorDescription {
  /** HTTP status of the response, if a request can fail with this code. */
  readonly status?: number;
  /** Whether a document, batch or item can fail with this code. */
  readonly document?: true;
  /** Whether the same request can succeed later. Trifold itself retries a document. @default false */
  readonly retryable?: true;
  /** What is wrong. Markdown. */
  readonly cause: string;
  /** What to do. Markdown without links, because the dashboard shows it as text. */
  readonly remedy: string;
}

/**
 * Every error code for `/v1` requests and documents. docs/errors.md, the OpenAPI document and the dashboard's remedies
 * are generated from it. Codes are part of the API: append, never rename or reuse.
 */
export const ERROR_CODES = {
  invalid_json: {
    status: 400,
    cause: 'The body is not JSON, or is JSON that cannot be stored as sent.',
    remedy: 'Correct the JSON at the position in the message.',
  },
  invalid_request: {
    status: 400,
    cause: 'A field, parameter or header is missing, unknown or invalid, or the request is not valid HTTP.',
    remedy: 'Fix the problem that the message describes. `details`, if present, lists each wrong field.',
  },
  invalid_cursor: {
    status: 400,
    cause: 'The cursor is malformed, or belongs to another list, another account or other filters.',
    remedy: 'Start again without `cursor`.',
  },
  options_invalid: {
    status: 400,
    document: true,
    cause:
      "The options contradict each other, leave no printable area, select no pages, or name an unknown locale or time zone. The status is 422 if the template's own options are the cause.",
    remedy: 'Change the option that the message names.',
  },
  missing_key: {
    status: 401,
    cause: 'The request has no API key.',
    remedy: 'Send `Authorization: Bearer <API key>`.',
  },
  invalid_key: {
    status: 401,
    cause: 'The API key is unknown, incomplete or revoked, or its account is suspended.',
    remedy: 'Use another key. A lost key cannot be recovered.',
  },
  cross_site_request: {
    status: 401,
    cause: 'A page from another site used a dashboard session.',
    remedy: 'Use the dashboard itself. From a program, send an API key instead.',
  },
  session_ended: {
    status: 401,
    cause: 'The dashboard session has ended.',
    remedy: 'Sign in again. If that does not help, delete the cookies for this address.',
  },
  invalid_sign_in_link: {
    status: 401,
    cause: 'The sign-in link has already been used, has expired, or was replaced by a newer one.',
    remedy: 'Run `npx --no trifold dashboard` to get a new one.',
  },
  insufficient_scope: {
    status: 401,
    cause: 'The API key lacks a required scope.',
    remedy: 'Use a key that has the scopes in `missingScopes`.',
  },
  insecure_sign_in: {
    status: 403,
    cause: 'The sign-in page was opened over plain HTTP from another machine.',
    remedy: 'Open the dashboard over HTTPS, or on the machine that runs the service.',
  },
  different_key: {
    status: 403,
    cause: 'Another API key created the document.',
    remedy: 'Use that key, or ask an operator to set `TRIFOLD_DOWNLOAD_ACCESS=account`.',
  },
  scope_not_held: {
    status: 403,
    cause: 'The new key would have a scope that the calling key lacks.',
    remedy: 'Remove the scope, or use a key that has it.',
  },
  live_key_required: {
    status: 403,
    cause: 'A test key cannot create or revoke a live key.',
    remedy: 'Use a live key.',
  },
  route_not_found: {
    status: 404,
    cause: 'There is no route with this path.',
    remedy: 'Compare the path with the API reference at `/docs/api/`.',
  },
  template_not_found: {
    status: 404,
    document: true,
    cause: 'The account has no template with this ID.',
    remedy: 'Compare the ID with `GET /v1/templates`, or `spec.templateRef` with `kubectl get templates`.',
  },
  version_not_found: {
    status: 404,
    document: true,
    cause:
      'The template has no such version, or the version is no longer stored. In a document request, the status is 422.',
    remedy: 'Use a version from `GET /v1/templates/:id/versions`, or publish a different version.',
  },
  document_not_found: {
    status: 404,
    cause: 'The account has no document with this ID, or the batch has no item with this index.',
    remedy: 'Check that the ID is correct and that the key belongs to the same account.',
  },
  batch_not_found: {
    status: 404,
    cause: 'The account has no batch with this ID.',
    remedy: 'Check that the ID is correct and that the key belongs to the same account.',
  },
  api_key_not_found: {
    status: 404,
    cause: 'The account has no API key with this ID.',
    remedy: 'List the keys with `GET /v1/api-keys`.',
  },
  webhook_not_found: {
    status: 404,
    cause: 'The account has no webhook.',
    remedy: 'Create it with `POST /v1/webhooks/settings`.',
  },
  hook_not_found: {
    status: 404,
    cause: 'The account has no hook with this ID.',
    remedy: 'List the hooks with `GET /v1/hooks`.',
  },
  delivery_not_found: {
    status: 404,
    cause: 'The account has no delivery with this ID, or the log no longer contains it.',
    remedy: 'List the deliveries with `GET /v1/webhooks/deliveries`.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The path does not support this method.',
    remedy: 'Use a method from the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    cause:
      'The headers or the complete request did not arrive within the time limit, or the body arrived too slowly.',
    remedy: 'Send it again over a faster or more stable connection.',
  },
  conflict: {
    status: 409,
    retryable: true,
    cause: 'Another request changed the resource at the same time.',
    remedy:
      'Read the resource again and retry the change. Retry a generation request with the same `Idempotency-Key`.',
  },
  not_ready: {
    status: 409,
    retryable: true,
    cause: 'The document is not complete yet.',
    remedy: 'Poll `status_url` until the status is `completed` or `failed`.',
  },
  generation_failed: {
    status: 409,
    cause:
      'Document generation failed, so there is no file. The status is 422 for generation requests, previews and the zip file of a batch.',
    remedy: "Read `error` in the document's status.",
  },
  not_failed: {
    status: 409,
    cause: 'The delivery is neither failed nor waiting for its next attempt, or it cannot be retried.',
    remedy: 'No action is needed.',
  },
  preview_superseded: {
    status: 409,
    cause: 'A newer preview in the same session replaced this one.',
    remedy: 'Use the response to the newer preview.',
  },
  too_many_hooks: {
    status: 409,
    cause: 'The account has reached its hook limit.',
    remedy: 'Delete a hook.',
  },
  too_many_templates: {
    status: 409,
    cause: 'The account has reached its template limit.',
    remedy: 'Delete templates, or ask an operator to raise `TRIFOLD_MAX_TEMPLATES`.',
  },
  too_many_api_keys: {
    status: 409,
    cause: 'The account has reached its API key limit.',
    remedy: 'Revoke keys, or ask an operator to raise `TRIFOLD_MAX_KEYS`.',
  },
  expired: {
    status: 410,
    document: true,
    cause: `The document is older than ${DOCUMENT_LIFETIME}, or could not be generated before it expired.`,
    remedy: 'Generate it again.',
  },
  document_deleted: {
    status: 410,
    cause: 'The document was deleted.',
    remedy: 'Generate it again.',
  },
  data_deleted: {
    status: 410,
    cause:
      'The data of the document is not stored. The data of a completed document is deleted with its GenerationJob, or earlier. The data of a failed document is kept unless `TRIFOLD_KEEP_FAILED_DATA` is `false`. The data of batch items is never kept.',
    remedy: 'Send the data again.',
  },
  version_conflict: {
    status: 412,
    cause: 'The saved version of the template is not the one in the `If-Match` header.',
    remedy: 'Read the template, merge your change and send it with the new version.',
  },
  body_too_large: {
    status: 413,
    cause:
      "The body, or the data with the schema's defaults, is larger than the limit or takes too much time or memory to check.",
    remedy:
      'Send less data. If the message contains a limit in bytes, an operator can raise it: `TRIFOLD_MAX_BODY` for a request or one item of a batch, `TRIFOLD_MAX_BATCH_BODY` for a whole batch.',
  },
  template_too_large: {
    status: 413,
    cause: '`html` and `css` together exceed the limit.',
    remedy: 'Make them smaller. Scale images down before you embed them.',
  },
  uri_too_long: {
    status: 414,
    cause: 'A path segment is too long.',
    remedy: 'Check the ID.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The body is not `application/json` in UTF-8, or it is compressed.',
    remedy: 'Send uncompressed JSON with this content type.',
  },
  expectation_failed: {
    status: 417,
    cause: 'The `Expect` header is not `100-continue`.',
    remedy: 'Remove the header.',
  },
  unknown_host: {
    status: 421,
    cause: 'The `Host` header does not name the standalone service.',
    remedy: 'Use a known name for the service, or ask an operator to add this one to `TRIFOLD_HOSTS`.',
  },
  data_invalid: {
    status: 422,
    document: true,
    cause:
      "The data violates the template's schema, or takes too long to check. The data of a job created with kubectl can also be nested too deeply, be too large, or not be an object.",
    remedy:
      'Correct the fields that the error names. If the check took too long, send less data or simplify the patterns in the schema.',
  },
  invoice_invalid: {
    status: 422,
    document: true,
    cause: "A document's e-invoice breaks a rule of its profile.",
    remedy:
      "Correct the data, the template's mapping or the XML in the request, as described in `details` or the message.",
  },
  not_an_e_invoice_template: {
    status: 422,
    document: true,
    cause: 'The format is xml, but neither the template nor the request has `e_invoice`.',
    remedy: 'Add `e_invoice` to the template or the request, or use another format.',
  },
  template_archived: {
    status: 422,
    document: true,
    cause: 'The template is archived.',
    remedy: 'Set its `status` (in Kubernetes, `spec.state`) to `active`, or use another template.',
  },
  template_does_not_compile: {
    status: 422,
    cause: 'The template, a part of the email, or the mapping of the e-invoice is invalid.',
    remedy: 'Correct the template at the line and column of the error.',
  },
  template_unusable: {
    status: 422,
    cause: 'The stored template cannot be read.',
    remedy: 'Update its `html` with a `PATCH` request.',
  },
  invalid_schema: {
    status: 422,
    cause: 'The data schema is invalid.',
    remedy: 'Correct the fields in `details`.',
  },
  not_an_email_template: {
    status: 422,
    cause: 'The template has no `email` field.',
    remedy: 'Add `email` to the template with a `PATCH` request.',
  },
  merge_failed: {
    status: 422,
    document: true,
    cause: 'The template could not be merged with this data.',
    remedy: 'Correct the template or the data at the location in the message.',
  },
  merge_too_large: {
    status: 422,
    document: true,
    cause: 'The merged HTML, or a part of the email, exceeds the limit.',
    remedy: 'Use less data, or split it over several documents or emails.',
  },
  merge_timeout: {
    status: 422,
    document: true,
    cause: 'Merging the template with the data takes too long.',
    remedy: 'Avoid nested loops. For emails, also use less CSS.',
  },
  batch_not_deletable: {
    status: 422,
    cause: 'Documents in a batch cannot be deleted.',
    remedy: `No action is needed. They expire ${DOCUMENT_LIFETIME} after the batch was created.`,
  },
  idempotency_key_reused: {
    status: 422,
    cause: 'The `Idempotency-Key` was sent before with a different body.',
    remedy: 'Use a new key for each new request.',
  },
  too_many_jobs: {
    status: 429,
    retryable: true,
    cause: 'The account has reached its limit of unfinished documents.',
    remedy:
      'Wait for the number of seconds in `Retry-After`, or ask an operator to raise `TRIFOLD_MAX_UNFINISHED_DOCUMENTS`.',
  },
  too_many_previews: {
    status: 429,
    retryable: true,
    cause: 'The account has too many previews in progress.',
    remedy: 'Wait for the number of seconds in `Retry-After`, or send `Preview-Session`.',
  },
  too_many_tests: {
    status: 429,
    retryable: true,
    cause: 'The account has too many webhook tests in progress.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    cause: 'The API key exceeded its rate limit.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  too_many_uploads: {
    status: 429,
    retryable: true,
    cause: "The API key's in-flight request bodies have reached the maximum total size.",
    remedy: 'Send large bodies one after another, or ask an operator to raise `TRIFOLD_BODY_BUDGET`.',
  },
  too_many_downloads: {
    status: 429,
    retryable: true,
    cause: 'The API key or the connection has too many unread responses, or the responses are too large.',
    remedy: 'Read the responses that you requested, or request fewer at the same time.',
  },
  headers_too_large: {
    status: 431,
    cause: 'The request headers are too large.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    retryable: true,
    cause: 'The service failed unexpectedly.',
    remedy: 'Try again. If the error persists, report the `request_id`.',
  },
  not_supported_yet: {
    status: 501,
    cause: 'This installation has no renderers for document previews.',
    remedy: 'Save the template and generate a document instead.',
  },
  unavailable: {
    status: 503,
    retryable: true,
    cause: 'The service, or a service that it depends on, is unavailable.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  storage_full: {
    status: 507,
    cause: 'The account has reached its storage limit.',
    remedy:
      'Delete documents, wait until files expire, or ask an operator to raise `TRIFOLD_MAX_STORED_BYTES`.',
  },
  aborted: {
    document: true,
    retryable: true,
    cause: 'The renderer was stopped while working on the document.',
    remedy: 'Generate the document again.',
  },
  all_items_failed: {
    document: true,
    cause: 'Every item in the batch failed.',
    remedy: 'Read `error` in each item.',
  },
  browser_crashed: {
    document: true,
    retryable: true,
    cause: 'Chromium crashed while it printed the document.',
    remedy:
      "Simplify the document, for example with fewer nested tables or smaller images. If many documents fail, ask an operator to check the renderers' memory.",
  },
  browser_hung: {
    document: true,
    retryable: true,
    cause: 'Chromium stopped responding while it printed the document.',
    remedy: 'Simplify the document. If many documents fail, ask an operator to check the renderers.',
  },
  cancelled: {
    document: true,
    cause: 'The document was deleted before it was finished.',
    remedy: 'Generate it again if you need it.',
  },
  data_missing: {
    document: true,
    cause: 'The data or the attachments for the job are not in the object store.',
    remedy: 'Generate the document again. If you wrote `dataRef` or `attachmentsRef` yourself, correct it.',
  },
  deadline_exceeded: {
    document: true,
    cause:
      'Generating the document took longer than the limit (60 seconds by default), excluding the wait for a browser.',
    remedy: 'Use less data, or simplify the document.',
  },
  document_navigates: {
    document: true,
    cause: 'The document redirects to another page, for example with a meta refresh.',
    remedy: 'Remove the redirect.',
  },
  docx_failed: {
    document: true,
    cause: 'The DOCX file could not be created.',
    remedy: 'Simplify the document, for example with fewer nested tables.',
  },
  id_invalid: {
    document: true,
    cause: 'The name of a batch created with kubectl does not contain the current time.',
    remedy: 'Create the batch with `POST /v1/generate/batch`.',
  },
  id_reused: {
    document: true,
    cause: 'An earlier document with the same name has not expired yet.',
    remedy: 'Create a new job with another name.',
  },
  image_too_large: {
    document: true,
    cause: 'The images in the document total more than 200 megapixels.',
    remedy: 'Use smaller images. An image with 3000 pixels per side is large enough for a page.',
  },
  names_too_long: {
    document: true,
    cause:
      'The combined names of the job, the template and the file are too long to store with the document.',
    remedy: 'Use shorter names.',
  },
  no_renderer: {
    document: true,
    retryable: true,
    cause: 'No browser became free within the time limit.',
    remedy: 'Generate the document again later. If this happens often, ask an operator to add renderers.',
  },
  output_too_large: {
    document: true,
    cause:
      'The file, or the browser memory for the document, exceeds the limit; an image has too many pixels; or a DOCX file has too many elements or takes too long to compose.',
    remedy: 'Use fewer pages or smaller images, or ask an operator to raise `TRIFOLD_MAX_OUTPUT`.',
  },
  conformance_failed: {
    document: true,
    cause: 'The document cannot conform to the standard in its option `conformance`.',
    remedy:
      'Fix the problems that the message and the `conformance_broken` warnings describe, or select another level.',
  },
  print_failed: {
    document: true,
    retryable: true,
    cause: 'Chromium could not print the document.',
    remedy: 'Simplify the document. If even a simple document fails, report it.',
  },
  renderer_error: {
    document: true,
    retryable: true,
    cause: 'The renderer failed unexpectedly.',
    remedy: "Report it with the renderer's log.",
  },
  renderer_lost: {
    document: true,
    retryable: true,
    cause: 'Three renderers stopped while working on the document.',
    remedy: 'Use less data or smaller images, or ask an operator to give renderers more memory.',
  },
  result_unreadable: {
    document: true,
    retryable: true,
    cause: "Another object is stored under the document's key.",
    remedy: 'Generate the document again.',
  },
  revision_corrupt: {
    document: true,
    cause: 'The stored version of the template cannot be read.',
    remedy:
      'Save the template again. If several templates fail, ask an operator to restore the object store.',
  },
  revision_missing: {
    document: true,
    cause: 'This version of the template is not in the object store.',
    remedy:
      'Save the template again. If several templates fail, ask an operator to restore the object store.',
  },
  spec_changed: {
    document: true,
    cause: 'The job spec was changed after creation.',
    remedy: 'Create a new job instead.',
  },
  storage_failed: {
    document: true,
    cause: 'The object store rejected a read or write for the document.',
    remedy: 'Ask an operator to check the object store.',
  },
  store_corrupt: {
    document: true,
    cause: 'An object that the document requires cannot be read.',
    remedy: 'Ask an operator to check the object store. The renderer log shows the cause.',
  },
  store_invalid_key: {
    document: true,
    cause: "The object store rejected an object's key.",
    remedy: 'Ask an operator to check the object store. The renderer log shows the cause.',
  },
  store_invalid_metadata: {
    document: true,
    cause: "The object store rejected the file's metadata.",
    remedy: 'Ask an operator to check the object store. The renderer log shows the cause.',
  },
  store_no_space: {
    document: true,
    retryable: true,
    cause: 'The object store is full.',
    remedy: 'Ask an operator to add space to the object store, then generate the document again.',
  },
  store_unavailable: {
    document: true,
    retryable: true,
    cause: 'The object store is unavailable.',
    remedy:
      'Generate the document again later. If this happens often, ask an operator to check the object store.',
  },
  template_invalid: {
    document: true,
    cause: 'The template or data schema of a job or batch created with kubectl is invalid.',
    remedy: 'Fix the problem that the message describes.',
  },
  template_source_missing: {
    document: true,
    cause: 'The template HTML is not in the object store.',
    remedy:
      'Save the template again. If several templates fail, ask an operator to restore the object store.',
  },
  too_many_kept: {
    document: true,
    cause:
      'The account has reached its limit of finished jobs that were created with kubectl and have a custom name or time to live.',
    remedy: 'Delete finished jobs, shorten their `ttlSecondsAfterFinished`, or use `/v1`.',
  },
  unknown: {
    document: true,
    cause: 'No reason was recorded for the failure.',
    remedy: 'Generate the document again.',
  },
  watermark_failed: {
    document: true,
    retryable: true,
    cause: 'The watermark could not be added to a test document or preview.',
    remedy: 'Report it with the template.',
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>;

type Codes = typeof ERROR_CODES;

/** Stable code of an error. */
export type ErrorCode = keyof Codes;

/** Error codes that a request can return. */
export type RequestErrorCode = {
  [Code in ErrorCode]: Codes[Code] extends { readonly status: number } ? Code : never;
}[ErrorCode];

/** Codes with which a document, batch or item can fail. Statuses from other versions can have other codes. */
export type DocumentErrorCode = {
  [Code in ErrorCode]: Codes[Code] extends { readonly document: true } ? Code : never;
}[ErrorCode];

/** Whether the same request, or another attempt at a document, can succeed later. */
export function isRetryable(code: ErrorCode): boolean {
  const description: ErrorDescription = ERROR_CODES[code];
  return description.retryable ?? false;
}
