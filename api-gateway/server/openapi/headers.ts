/** Response headers as described in the document. A required header is never absent. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'ID of the request. Log lines also contain it, as do errors, except for a missing scope.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Limit': {
    description:
      'Number of requests that the key may send per window. This header and the other RateLimit headers are present only if there is a rate limit.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'Number of requests remaining in this window.',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `600;w=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying the request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The problem with the key (RFC 6750).',
    required: true,
    schema: { type: 'string' },
  },
  Location: {
    description: 'Path of the created resource, relative to the service.',
    required: true,
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The file name (RFC 6266). Present only with a file.',
    schema: { type: 'string' },
  },
  'Content-Location': {
    description: 'Path for downloading the file again. Present only with a file.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'Identifies the file. For a document, this is the SHA-256 hash of its file. Not present in JSON responses.',
    schema: { type: 'string' },
  },
  'X-Trifold-Warnings': {
    description: 'Number of warnings about the preview; the JSON response lists them.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'Idempotency-Replayed': {
    description: '`true` if this request is a retry of an earlier one with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

/** On every response. */
export const COMMON_HEADERS: readonly HeaderName[] = ['X-Request-Id'];

/** On every response to a request with a valid key and the required scope. */
export const RATE_LIMIT_HEADERS: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
];

/** Additional headers for errors, by status. */
export const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
