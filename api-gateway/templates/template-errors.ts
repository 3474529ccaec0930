/** Error codes of a request that merges data into a template, for the schema of a route. */
export const TEMPLATE_ERRORS = [
  'template_not_found',
  'template_archived',
  'template_unusable',
  'template_does_not_compile',
  'invalid_schema',
  'data_invalid',
] as const;

/** The same for requests that generate documents and batches. */
export const GENERATION_ERRORS = [
  ...TEMPLATE_ERRORS,
  { code: 'version_not_found', statusCode: 422 },
  'options_invalid',
  'idempotency_key_reused',
  'conflict',
  'expired',
  'too_many_jobs',
  'storage_full',
] as const;
