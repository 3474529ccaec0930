import { ValidationError, type Preview } from '@trifold/client';

/**
 * Returns a request that the service rejected as a preview with errors, because its parts do not have the form of a
 * template; undefined for any other failure.
 */
export function rejectedPreview(error: unknown): Preview | undefined {
  if (!(error instanceof ValidationError) || error.details.length === 0) return undefined;
  const { code, details } = error;
  return {
    file: null,
    email: null,
    warnings: [],
    errors: details.map(({ path, message }) => ({ code, path, message, line: null, column: null })),
    timings: { check_ms: 0, merge_ms: 0, print_ms: 0 },
  };
}
