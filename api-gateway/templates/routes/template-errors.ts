/** Codes of what a request may meet that merges data into a template, in the words of a route's schema. */
export const TEMPLATE_ERRORS = [
  'template_not_found',
  'template_archived',
  'template_unusable',
  'template_does_not_compile',
  'invalid_schema',
  'data_invalid',
] as const;

/** The same for what is made in time: documents and batches. */
export const GENERATION_ERRORS = [
  ...TEMPLATE_ERRORS,
  'options_invalid',
  'idempotency_key_reused',
  'conflict',
  'expired',
  'too_many_jobs',
] as const;
