import { expect, it } from 'vitest';
import { sharedJson } from './routes.ts';

const LONG = 'Łukasz "said"\n\u2028 \ud800 😀 '.repeat(200);

it.each([
  [{}],
  [{ a: null, b: 1, c: true, d: 'short "text"', e: [1, { x: LONG }], f: {} }],
  [
    {
      html: LONG,
      providers: { one: { html: LONG }, two: { html: LONG, text: `${LONG}.` } },
      left: undefined,
    },
  ],
])('sharedJson returns the same string as JSON.stringify', (value) => {
  expect(sharedJson(value).toString()).toBe(JSON.stringify(value));
});
