import { describe, expect, it } from 'vitest';
import type { GroupId, InvoiceGroup } from '../invoice.ts';
import { E_INVOICE_PROBLEMS } from '../e-invoice-limits.ts';
import { checkInvoice } from './check-invoice.ts';

const EN16931 = { profile: 'en16931', syntax: 'cii' } as const;

const group = (
  id: GroupId,
  terms: InvoiceGroup['terms'],
  rest: Partial<InvoiceGroup> = {},
): InvoiceGroup => ({
  id,
  terms,
  groups: {},
  ...rest,
});

const invoice = (groups: InvoiceGroup['groups']) => group('BG-0', {}, { groups });
const problemOf = (rule: string, groups: InvoiceGroup['groups']) =>
  checkInvoice(invoice(groups), EN16931).find((problem) => problem.rule === rule);

describe('An invoice problem', () => {
  it("points to the term's field", () => {
    const line = group('BG-25', { 'BT-131': [{ value: '1.234', path: '/lines/3/net' }] });
    expect(problemOf('BR-DEC-23', { 'BG-25': [line] })).toEqual({
      rule: 'BR-DEC-23',
      path: '/lines/3/net',
      term: 'BT-131 invoice line net amount',
      message: 'The invoice line net amount 1.234 has more than two decimal places.',
    });
  });

  it('points to the field that the data lacks', () => {
    const line = group('BG-25', {}, { path: '/lines/3', missing: { 'BT-131': '/lines/3/net' } });
    expect(problemOf('BR-24', { 'BG-25': [line] })).toMatchObject({
      path: '/lines/3/net',
      message: 'The invoice line net amount is missing.',
    });
  });

  it('points to the list item if the term has no field', () => {
    const line = group('BG-25', {}, { path: '/lines/3' });
    expect(problemOf('BR-24', { 'BG-25': [line] })).toMatchObject({ path: '/lines/3' });
  });

  it('has no path if nothing in the data belongs to it', () => {
    expect(problemOf('BR-02', {})).toEqual({
      rule: 'BR-02',
      term: 'BT-1 invoice number',
      message: 'The invoice number is missing.',
    });
  });

  it('shows both amounts if a total is wrong', () => {
    const lines = ['0.1', '0.2'].map((value) => group('BG-25', { 'BT-131': [{ value }] }));
    const totals = group('BG-22', { 'BT-106': [{ value: '0.31' }] });
    expect(problemOf('BR-CO-10', { 'BG-25': lines, 'BG-22': [totals] })?.message).toBe(
      'The sum of the line net amounts is 0.31, but the lines add up to 0.30.',
    );
  });

  it('is a missing VAT total, in CII only if VAT is due', () => {
    const groups = (tax: string) => ({
      'BG-22': [group('BG-22', {})],
      'BG-23': [group('BG-23', { 'BT-117': [{ value: tax }] })],
    });
    expect(problemOf('BR-CO-14', groups('19.00'))?.message).toBe(
      'The total VAT amount is missing: the VAT breakdown adds up to 19.00.',
    );
    expect(problemOf('BR-CO-14', groups('0.00'))).toBeUndefined();
    const inUbl = checkInvoice(invoice(groups('0.00')), { ...EN16931, syntax: 'ubl' });
    expect(inUbl.map(({ rule }) => rule)).toContain('BR-CO-14');
  });

  it('is reported only up to a limit', () => {
    const lines = Array.from({ length: 2 * E_INVOICE_PROBLEMS }, () => group('BG-25', {}));
    expect(checkInvoice(invoice({ 'BG-25': lines }), EN16931)).toHaveLength(E_INVOICE_PROBLEMS);
  });
});
