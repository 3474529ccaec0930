import { expect, it } from 'vitest';
import { CURL, PYTHON, TYPESCRIPT, written } from './literals.ts';

const VALUE = {
  name: `Ada "the" O'Neill \\ 50 %\n\t\u0000 Łódź 🦄`,
  'due-date': null,
  empty: { list: [], object: {} },
  lines: [
    { text: 'Letterhead on recycled paper, revision of February', paid: true, price: 58.43 },
    { text: 'x'.repeat(80), paid: false, price: -1e21 },
  ],
};

it('writes JSON and TypeScript of the same value', () => {
  expect(JSON.parse(written(VALUE, CURL))).toEqual(VALUE);
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is that of the test
  expect(new Function(`return ${written(VALUE, TYPESCRIPT)}`)()).toEqual(VALUE);
});

it('writes Python over several lines where a line is long', () => {
  const short = { template_id: 'a', data: { ...VALUE, name: 'Ada', lines: VALUE.lines.slice(0, 1) } };
  expect(written(short, PYTHON)).toBe(`{
    "template_id": "a",
    "data": {
        "name": "Ada",
        "due-date": None,
        "empty": {"list": [], "object": {}},
        "lines": [
            {
                "text": "Letterhead on recycled paper, revision of February",
                "paid": True,
                "price": 58.43,
            },
        ],
    },
}`);
});
