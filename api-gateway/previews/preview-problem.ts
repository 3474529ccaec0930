import { ApiError, unavailable } from '../server/errors/api-error.ts';
import type { PreviewError } from './preview-body.ts';
import type { DocumentFailure } from '@trifold/platform/service/document-error.ts';

/** Why a template cannot be previewed. */
export interface PreviewProblem {
  /** Answer to a request for the file. */
  readonly error: ApiError;
  /** The same as entries of a JSON answer. */
  readonly entries: readonly PreviewError[];
}

/** Whether an error says that the content of a preview is wrong, not that the service could not look at it. */
export function isContentError(error: unknown): error is ApiError {
  return error instanceof ApiError && !error.retryable;
}

/** Converts an error of a check. */
export function problemOf(error: ApiError): PreviewProblem {
  const { code, message, details = [], extra } = error;
  const position = { line: numberOrNull(extra['line']), column: numberOrNull(extra['column']) };
  const entries = details.map((detail) => ({ code, ...detail, ...position }));
  return { error, entries: entries.length > 0 ? entries : [{ code, path: null, message, ...position }] };
}

/** Converts a failure of the renderer. Throws ApiError `unavailable` when another attempt may succeed. */
export function renderProblem({ code, message, retryable }: DocumentFailure): PreviewProblem {
  if (retryable) throw unavailable(`The preview could not be rendered: ${message}. Try again in a moment.`);
  const error = new ApiError('generation_failed', `The preview could not be rendered: ${message}.`, {
    statusCode: 422,
  });
  return { error, entries: [{ code, path: null, message, line: null, column: null }] };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
