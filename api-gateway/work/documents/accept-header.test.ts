import { expect, it } from 'vitest';
import { wantsFile } from './accept-header.ts';

it.each([
  ['application/pdf', true],
  ['Application/PDF', true],
  ['text/html, application/pdf;q=0.5', true],
  ['application/pdf, application/json;q=0.9', true],
  ['application/json;q=0.2,application/pdf; q=0.8', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['application/pdf;q=0', false],
  ['application/json, application/pdf;q=0.5', false],
  ['application/pdfx', false],
  [',;,=', false],
])('An Accept header of %s requests the file: %s', (accept, isFile) => {
  expect(wantsFile(accept, 'pdf')).toBe(isFile);
});

it.each([
  ['image/png', 'png'],
  ['text/html', 'html'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
] as const)('An Accept header requests the file in a format by its media type: %s', (accept, format) => {
  expect(wantsFile(accept, format)).toBe(true);
  expect(wantsFile(accept, 'pdf')).toBe(false);
  expect(wantsFile('application/pdf', format)).toBe(false);
});
