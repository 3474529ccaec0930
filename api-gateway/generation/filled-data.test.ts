import { describe, expect, it } from 'vitest';
import { jsonOfFilled } from './filled-data.ts';

describe('the JSON of data with its defaults', () => {
  it('is that of JSON.stringify, up to the last byte that is allowed', () => {
    const data = { text: 'Größe "1"', list: [1, null, true, { deep: [] }], none: {} };
    const json = JSON.stringify(data);
    const size = Buffer.byteLength(json);
    expect(jsonOfFilled(data, size).toString()).toBe(json);
    expect(() => jsonOfFilled(data, size - 1)).toThrow(`more than ${size - 1} bytes`);
  });

  it.each([
    ['one text in many places', Array.from({ length: 100_000 }, () => ({ text: 'x'.repeat(100_000) }))],
    ['control characters', '\u0001'.repeat(900)],
    ['long numbers', Array.from({ length: 300 }, () => -1.234567890123456e-300)],
    ['names', Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name number ${index}`, 1]))],
  ])('is refused when it is too large, without being written: %s', (_what, value) => {
    expect(() => jsonOfFilled({ value }, 1000)).toThrow(
      expect.objectContaining({ code: 'body_too_large', statusCode: 413 }),
    );
  });
});
