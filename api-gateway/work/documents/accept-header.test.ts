import { describe, expect, it } from 'vitest';
import { wantsFile } from './accept-header.ts';

describe('Accept header', () => {
  it.each([
    'application/pdf',
    'Application/PDF',
    'text/html, application/pdf;q=0.5',
    'application/pdf, application/json;q=0.9',
    'application/json;q=0.2,application/pdf; q=0.8',
  ])('requests the file: %s', (accept) => {
    expect(wantsFile(accept, 'pdf')).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'application/pdf;q=0',
    'application/json, application/pdf;q=0.5',
    'application/pdfx',
    ',;,=',
  ])('requests JSON: %s', (accept) => {
    expect(wantsFile(accept, 'pdf')).toBe(false);
  });

  it.each([
    ['image/png', 'png'],
    ['text/html', 'html'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ] as const)('requests the file of a format by its media type: %s', (accept, format) => {
    expect(wantsFile(accept, format)).toBe(true);
    expect(wantsFile(accept, 'pdf')).toBe(false);
    expect(wantsFile('application/pdf', format)).toBe(false);
  });
});
