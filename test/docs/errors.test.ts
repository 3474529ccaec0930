import { WARNING_CODES } from '@trifold/crds';
import { expect, it } from 'vitest';
import { firstCells, page, quoted } from './pages.ts';

it('the page of error codes lists every warning of a document', async () => {
  const warnings = String((await page('docs/errors.md')).split('## Warnings of documents')[1]);
  const listed = firstCells(warnings, 'Code').flatMap((cell) => quoted(cell));
  expect(new Set(listed)).toEqual(new Set(WARNING_CODES));
});
