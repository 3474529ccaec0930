import { describe, expect, it } from 'vitest';
import { invoiceWithEveryTerm } from '../../testing/e-invoices/every-term.ts';
import { PLAIN_DATA } from '../../testing/e-invoices/plain-mapping.ts';
import { plainSpec } from '../../testing/e-invoices/plain-spec.ts';
import { checkOwnEInvoice, createEInvoice } from '../create-e-invoice.ts';
import type { InvoiceGroup } from '../invoice.ts';
import { PROFILES } from '../profiles.ts';
import { writeCii } from '../writing/cii-writer.ts';
import { parseEInvoice } from './parse-e-invoice.ts';

const CONTROL: InvoiceGroup = {
  id: 'BG-2',
  terms: { 'BT-23': [{ value: 'A1' }], 'BT-24': [{ value: PROFILES.en16931.specification }] },
  groups: {},
};

function plainXml(): string {
  const result = createEInvoice(plainSpec('en16931', 'cii'), PLAIN_DATA, { test: false });
  return 'xml' in result ? result.xml : '';
}

describe('An invoice in CII', () => {
  it('has every term that was written', () => {
    const invoice = invoiceWithEveryTerm('380');
    const expected = { ...invoice, groups: { ...invoice.groups, 'BG-2': [CONTROL] } };
    expect(parseEInvoice(writeCii(expected), 'en16931')).toEqual({ invoice: expected, problems: [] });
  });

  it('is checked against the business rules', () => {
    expect(checkOwnEInvoice({ profile: 'en16931' }, plainXml())).toEqual([]);
    const xml = plainXml().replace('>1189.74</ram:DuePayableAmount>', '>1189.75</ram:DuePayableAmount>');
    expect(checkOwnEInvoice({ profile: 'en16931' }, xml)).toMatchObject([
      { rule: 'BR-CO-16', term: 'BT-115 amount due for payment' },
    ]);
  });

  it.each([
    ['a different profile', 'urn:cen.eu:en16931:2017', 'urn:example:own', 'profile', 'BT-24'],
    [
      'an unknown element',
      '<ram:Name>Support</ram:Name>',
      '<ram:Name>Support</ram:Name><ram:Color>red</ram:Color>',
      'xml-element',
      'ram:Color',
    ],
    [
      'an element of another namespace',
      '<ram:BuyerReference>',
      '<x xmlns="urn:x">1</x><ram:BuyerReference>',
      'xml-element',
      '?:x',
    ],
    [
      'an element that occurs too often',
      '<ram:BuyerReference>',
      '<ram:BuyerReference>1</ram:BuyerReference><ram:BuyerReference>',
      'xml-element',
      'BT-10',
    ],
    [
      'a second means of payment',
      '<ram:SpecifiedTradeSettlementPaymentMeans>',
      '<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>59</ram:TypeCode></ram:SpecifiedTradeSettlementPaymentMeans><ram:SpecifiedTradeSettlementPaymentMeans>',
      'xml-element',
      'BT-81',
    ],
    [
      'elements in the wrong order',
      /(<ram:ID>R-2026-0042<\/ram:ID>)\s*(<ram:TypeCode>380<\/ram:TypeCode>)/,
      '$2$1',
      'xml-element',
      'not in the order',
    ],
    ['another date format', 'format="102">20261128', 'format="610">202611', 'xml-element', 'DateTimeString'],
    [
      'an amount that is not a decimal',
      '>1189.74</ram:GrandTotalAmount>',
      '>NaN</ram:GrandTotalAmount>',
      'value-invalid',
      'BT-112',
    ],
  ])('is rejected with %s', (_what, from, to, rule, message) => {
    const problems = checkOwnEInvoice({ profile: 'en16931' }, plainXml().replace(from, to));
    expect(problems[0]).toMatchObject({ rule, message: expect.stringContaining(message) as string });
  });
});

describe('XML that a caller sends', () => {
  it.each([
    ['', 'no element'],
    ['<a', 'not well-formed'],
    ['<a><b></a>', 'not well-formed'],
    ['<a/><b/>', 'not well-formed'],
    ['<a>&b;</a>', 'not well-formed'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'a document type is not allowed'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><a/>', 'the encoding must be UTF-8'],
    ['<a><!-- \u0001 --></a>', 'contains a control character'],
    ['<a b="\ud800"/>', 'contains a control character'],
    ['<a/>', 'is not a CrossIndustryInvoice'],
    ['<a>'.repeat(33), 'more than 32 levels of elements'],
    [`<a>${'<b/>'.repeat(100_000)}</a>`, 'more than 100000 elements'],
    [`<a ${Array.from({ length: 100_000 }, (_, index) => `a${index}=""`).join(' ')}/>`, 'a tag is too long'],
    ['x'.repeat(1024 * 1024 + 1), 'larger than 1 MiB'],
  ])('is rejected: %.60s', (xml, message) => {
    expect(checkOwnEInvoice({ profile: 'en16931' }, xml)).toEqual([
      { rule: 'xml-invalid', message: expect.stringContaining(message) as string },
    ]);
  });
});
