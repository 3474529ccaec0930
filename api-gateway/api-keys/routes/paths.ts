interface KeyPath {
  readonly path: '/v1/api-keys' | '/v1/keys';
  /** Suffix of its operation ids. */
  readonly noun: string;
  /** Suffix of its summaries. */
  readonly note?: string;
}

/** Paths for managing keys: the interface names both in different places, and they are equivalent. */
export const KEY_PATHS: readonly KeyPath[] = [
  { path: '/v1/api-keys', noun: 'ApiKey' },
  { path: '/v1/keys', noun: 'Key', note: ', the same at /v1/keys' },
];

/** Returns the documentation of an operation at one of the two paths. */
export function documented(
  verb: string,
  { noun, note = '' }: KeyPath,
  summary: string,
  description?: string,
) {
  return {
    operationId: `${verb}${noun}`,
    summary: summary + note,
    tags: ['API keys'],
    ...(description !== undefined && { description }),
  };
}
