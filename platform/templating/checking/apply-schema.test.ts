import { expect, it } from 'vitest';
import { writeData } from './apply-schema.ts';

const write = (data: Record<string, unknown>, most: number) =>
  writeData([data], { each: most, together: most });

it('JSON of request data equals the output of JSON.stringify, up to the last allowed byte', () => {
  const data = { text: 'Größe "1"', list: [1, null, true, { deep: [] }], none: {} };
  const json = Buffer.from(JSON.stringify(data));
  expect(write(data, json.byteLength)).toEqual({ status: 'valid', json: [json] });
  expect(write(data, json.byteLength - 1)).toEqual({ status: 'too_large', item: 0 });
});

it.each([
  ['one string in many places', Array.from({ length: 100_000 }, () => ({ text: 'x'.repeat(100_000) }))],
  ['control characters', '\u0001'.repeat(900)],
  ['long numbers', Array.from({ length: 300 }, () => -1.234567890123456e-300)],
  ['names', Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name number ${index}`, 1]))],
])('JSON of request data is rejected as too large before it is written: %s', (_what, value) => {
  expect(write({ value }, 1000)).toEqual({ status: 'too_large', item: 0 });
});
