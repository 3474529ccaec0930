import { expect, it } from 'vitest';
import { generatePdf } from './snippets.ts';

it('writes data as Python without changing its strings', () => {
  const data = { 'due-date': null, paid: true, open: false, name: `null \\ "true" O'Neill`, price: -1e21 };
  const { python } = generatePdf({ url: 'https://trifold.example', body: { data }, name: 'a' });
  expect(python).toContain(`body = {
    "data": {
        "due-date": None,
        "paid": True,
        "open": False,
        "name": "null \\\\ \\"true\\" O'Neill",
        "price": -1e+21
    }
}`);
});
