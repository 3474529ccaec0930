import { ERROR_CODES } from '@trifold/api-gateway/server/errors/error-codes.ts';
import { WARNING_CODES } from '@trifold/crds';
import { expect, it } from 'vitest';
import { page, section, source } from './pages.ts';

const errors = await page('docs/errors.md');

function cells(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));
}

it('the page of error codes lists every code of the API with its status and cause', () => {
  const listed = cells(section(errors, 'Errors of requests')).map(([, code, status, cause]) => [
    code,
    Number(status),
    cause,
  ]);
  const real = Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => {
    return [code, status, meaning.replaceAll('`', '')];
  });
  expect(new Set(listed)).toEqual(new Set(real));
});

it('the page of error codes lists every code that a failed document can have', async () => {
  const thrown = (await source('{renderer,controller,platform}/**/*.ts')).matchAll(
    /new (?:TaskError|WorkError|MergeFailure|PrintError)\(\s*'(\w+)'/g,
  );
  const listed = new Set(cells(section(errors, 'Errors of documents')).map(([, code]) => code));
  const codes = new Set(Array.from(thrown, ([, code]) => code));
  // Work that is stopped goes back to the queue; its document does not fail.
  codes.delete('aborted');
  expect(codes.size).toBeGreaterThan(20);
  expect([...codes].filter((code) => !listed.has(code))).toEqual([]);
});

it('the page of error codes lists every warning of a document', () => {
  const listed = cells(section(errors, 'Warnings of documents')).map(([, code]) => code);
  expect(new Set(listed)).toEqual(new Set(WARNING_CODES));
});
