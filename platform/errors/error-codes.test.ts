import { expect, it } from 'vitest';
import { DocumentError, documentFailure } from './document-error.ts';
import { ERROR_CODES, type ErrorDescription } from './error-codes.ts';

it.each(Object.entries<ErrorDescription>(ERROR_CODES))(
  'The error code %s is in the right position and has plain sentences',
  (code, entry) => {
    expect(code).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(entry.status ?? entry.document).toBeDefined();
    expect(entry.cause).toMatch(/^[^|\n]+\.$/);
    // The dashboard shows it as text, so it has no link.
    expect(entry.remedy).toMatch(/^[^|\n[\]]+\.$/);
  },
);

it('the table determines whether failures and errors are retryable', () => {
  expect(documentFailure('browser_crashed', 'why')).toMatchObject({ retryable: true });
  expect(new DocumentError('merge_failed', 'why')).toMatchObject({ retryable: false });
});
