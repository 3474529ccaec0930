/** The headers that answers can have, as the document describes them. Those marked required are never left out. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Id of the request; errors and log lines name it too.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Limit': {
    description:
      'Requests that the key may send in a window. Only where there is a rate limit, as the next three.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left in this window.',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `600;w=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds after which the request may be sent again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'What is wrong with the key (RFC 6750).',
    required: true,
    schema: { type: 'string' },
  },
  Location: {
    description: 'Path of what was made, relative to the service.',
    required: true,
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The file name (RFC 6266). Only with a file.',
    schema: { type: 'string' },
  },
  'Content-Location': {
    description: 'Where the file can be downloaded again. Only with a file.',
    schema: { type: 'string' },
  },
  ETag: { description: 'The SHA-256 of the file. Only with a file.', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description: '`true` when the same request was sent before with this Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

/** On every answer. */
export const COMMON_HEADERS: readonly HeaderName[] = ['X-Request-Id'];

/** On every answer to a request with a key that counts and has the scope. */
export const RATE_LIMIT_HEADERS: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
];

/** What errors have besides. */
export const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
