import { describe, expect, it } from 'vitest';
import { wantsPdf } from './accept-header.ts';

describe('the Accept header', () => {
  it.each([
    'application/pdf',
    'Application/PDF',
    'text/html, application/pdf;q=0.5',
    'application/pdf, application/json;q=0.9',
    'application/json;q=0.2,application/pdf; q=0.8',
  ])('asks for the file: %s', (accept) => {
    expect(wantsPdf(accept)).toBe(true);
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
  ])('asks for JSON: %s', (accept) => {
    expect(wantsPdf(accept)).toBe(false);
  });
});
