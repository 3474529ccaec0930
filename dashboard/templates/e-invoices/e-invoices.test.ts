import { describe, expect, it } from 'vitest';
import { E_INVOICE } from '../../../test/support/e-invoice.ts';
import {
  eInvoiceDraftOf,
  eInvoiceOf,
  fittedSettings,
  withComparison,
  withEInvoice,
} from './e-invoice-draft.ts';
import { templateOfMapping } from './template-of-mapping.ts';
import { PROFILES } from './terms.ts';

describe('The draft of an e-invoice', () => {
  it('keeps the fields that the editor does not know', () => {
    const stored = { ...E_INVOICE, compare: false, later: 1 };
    expect(eInvoiceOf(eInvoiceDraftOf(stored))).toEqual(stored);
  });

  it('stores the comparison only if it is off', () => {
    const off = withComparison(eInvoiceDraftOf(E_INVOICE), false);
    expect(eInvoiceOf(off)).toEqual({ ...E_INVOICE, compare: false });
    expect(eInvoiceOf(withComparison(off, true))).toEqual(E_INVOICE);
  });

  it('changes only the settings that the profile does not allow', () => {
    const settings = { format: 'xml', syntax: 'ubl' } as const;
    const fitted = PROFILES.map((profile) =>
      Object.values(fittedSettings({ profile, ...settings })).join(' '),
    );
    expect(fitted).toEqual(['basic xml cii', 'en16931 xml ubl', 'xrechnung xml ubl', 'peppol-bis-3 xml ubl']);
  });

  it('starts with the required terms, and keeps its mapping while it is turned off', () => {
    const on = withEInvoice(eInvoiceDraftOf(null), true);
    expect(eInvoiceOf(on)?.mapping).toMatchObject({
      'BT-1 invoice number': '',
      'BG-4 seller': { 'BG-5 seller postal address': { 'BT-40 seller country code': '' } },
      'BG-25 invoice line': { each: '', item: { 'BG-29 price details': { 'BT-146 item net price': '' } } },
    });
    expect(withEInvoice(withEInvoice(on, false), true)).toEqual(on);
    expect(eInvoiceOf(withEInvoice(on, false))).toBeNull();
  });
});

it('reads the bindings of a mapping like those of a template', () => {
  const lines = { each: 'lines', item: { 'BT-153': '{{name}}' } };
  expect(templateOfMapping({ 'BT-1': '{{number}}', 'BG-25': [lines] })).toBe(
    '{{number}}\n{{#each lines}}{{name}}\n{{/each}}',
  );
});
