interface KeyPath {
  readonly path: '/v1/api-keys' | '/v1/keys';
  /** What the ids of its operations end with. */
  readonly noun: string;
  /** What its summaries add. */
  readonly note?: string;
}

/** Where keys are managed: the interface names both in different places, and they are the same. */
export const KEY_PATHS: readonly KeyPath[] = [
  { path: '/v1/api-keys', noun: 'ApiKey' },
  { path: '/v1/keys', noun: 'Key', note: ', the same at /v1/keys' },
];

/** The documentation of an operation at one of the two paths. */
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
