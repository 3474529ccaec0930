import { E_INVOICE, INVOICE_DATA, WRONG_TOTAL } from '@trifold/test-support/e-invoice.ts';
import { BOUNDS } from '../../bounds/bounds.ts';
import { expect, it } from 'vitest';
import { MAX_VIOLATIONS } from '../schema/data-schema.ts';
import { createEInvoices } from './created-e-invoices.ts';

const XML_BYTES = BOUNDS.eInvoices.limit.value * 1024;

function created(data: readonly object[]) {
  const items = data.map((one, index) => ({
    json: Buffer.from(JSON.stringify(one)),
    pointer: `/items/${index}/data`,
  }));
  return createEInvoices(items, { spec: E_INVOICE, test: false });
}

/** Data whose lines have names with this many characters in total. */
function withNames(characters: number) {
  const [line] = INVOICE_DATA.lines;
  const name = 'x'.repeat(characters / 8);
  const lines = Array.from({ length: 8 }, (_, index) => ({
    ...line,
    id: String(index),
    name,
    net: '119.70',
  }));
  return { ...INVOICE_DATA, lines, net: '957.60', vat: '181.94', total: '1139.54' };
}

it('creates an e-invoice for each document', () => {
  const result = created([INVOICE_DATA, { ...INVOICE_DATA, number: 'B' }]);
  const eInvoices = result.status === 'created' ? result.eInvoices : undefined;
  expect(eInvoices?.map(({ xml }) => Buffer.from(xml).toString())).toMatchObject([
    expect.stringContaining('INV-2026-0042'),
    expect.stringContaining('<ram:ID>B</ram:ID>'),
  ]);
});

it('reports the item and the value of each problem, up to a limit', () => {
  expect(created([INVOICE_DATA, WRONG_TOTAL])).toMatchObject({
    status: 'invoice_invalid',
    problems: [{ rule: 'BR-CO-15', path: expect.stringMatching(/^\/items\/1\/data/) }],
  });
  const result = created(Array.from({ length: 2 * MAX_VIOLATIONS }, () => WRONG_TOTAL));
  expect(result).toMatchObject({ status: 'invoice_invalid', problems: { length: MAX_VIOLATIONS } });
});

it('limits the XML of each document', () => {
  expect(created([withNames(XML_BYTES / 2)])).toMatchObject({ status: 'created' });
  expect(created([withNames(XML_BYTES)])).toMatchObject({ status: 'invoice_invalid' });
});
