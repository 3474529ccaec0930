import { describe, expect, it } from 'vitest';
import { PLAIN_DATA, PLAIN_MAPPING } from '../testing/e-invoices/plain-mapping.ts';
import { plainSpec } from '../testing/e-invoices/plain-spec.ts';
import {
  eInvoiceCreator,
  eInvoiceProblems,
  type EInvoiceContext,
  type EInvoiceResult,
} from './create-e-invoice.ts';
import type { EInvoiceSpec } from './e-invoice-spec.ts';

const REAL = { test: false } as const;
/** Peppol does not accept an email address. */
const PEPPOL_DATA = {
  'BG-4 seller': {
    ...(plainSpec('peppol-bis-3', 'ubl').mapping['BG-4 seller'] as object),
    'BT-34 seller electronic address': { value: 'DE123456789', scheme: '9930' },
  },
  'BG-7 buyer': {
    ...(plainSpec('peppol-bis-3', 'ubl').mapping['BG-7 buyer'] as object),
    'BT-49 buyer electronic address': { value: '04011000-12345-03', scheme: '0204' },
  },
};

function createEInvoice(spec: EInvoiceSpec, data: unknown, context: EInvoiceContext): EInvoiceResult {
  return eInvoiceCreator(spec, context)(data);
}

function xmlOf(result: EInvoiceResult): string {
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.xml;
}

describe('An e-invoice', () => {
  it.each([
    ['basic', 'cii', {}],
    ['en16931', 'cii', {}],
    ['en16931', 'ubl', {}],
    ['xrechnung', 'cii', {}],
    ['xrechnung', 'ubl', {}],
    ['peppol-bis-3', 'ubl', PEPPOL_DATA],
  ] as const)('has the profile %s in the syntax %s', (profile, syntax, changes) => {
    const spec = plainSpec(profile, syntax, changes);
    expect(eInvoiceProblems(spec)).toEqual([]);
    const xml = xmlOf(createEInvoice(spec, PLAIN_DATA, REAL));
    expect(xml).toContain('>R-2026-0042</');
    expect(xml).toContain('Müller &amp; Söhne &lt;Bau&gt; AG');
    expect(xml).toContain(syntax === 'cii' ? '>20261128</' : '>2026-11-28</');
    expect(xml).not.toContain('TEST');
    expect(xml).not.toContain('BuyerOrderReferencedDocument');
  });

  it('contains the note TEST if it is a test', () => {
    const test = { test: true };
    expect(xmlOf(createEInvoice(plainSpec('en16931', 'cii'), PLAIN_DATA, test))).toContain(
      '<ram:Content>TEST</ram:Content>',
    );
    const peppol = plainSpec('peppol-bis-3', 'ubl', PEPPOL_DATA);
    expect(xmlOf(createEInvoice(peppol, PLAIN_DATA, test))).toContain(
      '<cbc:Note>TEST: Invoice R-2026-0042 of Nordlicht Software GmbH</cbc:Note>',
    );
  });

  it('has a line break after its last early payment discount', () => {
    const terms = { 'BT-20': 'Thank you\n#SKONTO#TAGE=14#PROZENT=2.00#' };
    const xml = xmlOf(createEInvoice(plainSpec('xrechnung', 'cii', terms), PLAIN_DATA, REAL));
    expect(xml).toContain('Thank you&#10;#SKONTO#TAGE=14#PROZENT=2.00#&#10;</ram:Description>');
  });

  it("has dates in the document's locale and time zone", () => {
    const spec = plainSpec('en16931', 'cii', { 'BT-20': 'Payable until {{formatDate at "long"}}' });
    const context = { ...REAL, locale: 'de-DE', timeZone: 'Europe/Berlin' };
    const xml = xmlOf(createEInvoice(spec, { ...PLAIN_DATA, at: '2026-11-28T23:30:00Z' }, context));
    expect(xml).toContain('Payable until 29. November 2026');
  });

  it('of type 381 is a CreditNote in UBL', () => {
    const spec = plainSpec('en16931', 'ubl', { 'BT-3 invoice type code': '381' });
    const xml = xmlOf(createEInvoice(spec, PLAIN_DATA, REAL));
    expect(xml).toContain('<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"');
    expect(xml).toContain('<cbc:CreditedQuantity unitCode="HUR">10</cbc:CreditedQuantity>');
    expect(xml).toContain('<cbc:PaymentDueDate>2026-12-28</cbc:PaymentDueDate>');
    expect(xml).not.toContain('InvoiceLine');
  });

  it('repeats the payment instructions for each account', () => {
    const spec = plainSpec('en16931', 'cii', {
      'BG-16 payment instructions': {
        'BT-81': '58',
        'BT-82': 'SEPA',
        'BG-17': { each: 'accounts', item: { 'BT-84': '{{this}}', 'BT-85': '{{../seller.name}}' } },
      },
    });
    const accounts = ['DE89370400440532013000', 'Postfach 12'];
    const xml = xmlOf(createEInvoice(spec, { ...PLAIN_DATA, accounts }, REAL));
    expect(xml.match(/<ram:SpecifiedTradeSettlementPaymentMeans>/g)).toHaveLength(2);
    expect(xml.match(/SEPA/g)).toHaveLength(1);
    expect(xml).toContain('<ram:IBANID>DE89370400440532013000</ram:IBANID>');
    expect(xml).toContain('<ram:ProprietaryID>Postfach 12</ram:ProprietaryID>');
    expect(xml.match(/<ram:AccountName>Nordlicht Software GmbH</g)).toHaveLength(2);
  });
});

describe('E-invoice data', () => {
  const lines = [{ name: 'Support', quantity: 10, unit: 'HUR', price: 95.5, total: '955,00', rate: 19 }];

  it.each<[string, object, Record<string, unknown>, object]>([
    ['a missing required field', { issued: undefined }, {}, { rule: 'BR-03', path: '/issued' }],
    ['a missing required field in a group', { gross: undefined }, {}, { rule: 'BR-14', path: '/gross' }],
    ['a missing line name', { lines: [{ ...PLAIN_DATA.lines[0], name: '' }] }, {}, { path: '/lines/0/name' }],
    ['a missing required list', { lines: undefined }, {}, { rule: 'BR-16', path: '/lines' }],
    ['an amount due without a due date', { due: undefined }, {}, { rule: 'BR-CO-25', path: '/due' }],
    [
      'a number that is not a plain decimal',
      { lines },
      {},
      {
        rule: 'value-invalid',
        path: '/lines/0/total',
        term: 'BT-131 invoice line net amount',
        message: 'BT-131 invoice line net amount must be a decimal number, such as 1234.50.',
      },
    ],
    ['a date in another format', { issued: '28.11.2026' }, {}, { rule: 'value-invalid', path: '/issued' }],
    ['a date that does not exist', { issued: '2026-02-30' }, {}, { rule: 'value-invalid', path: '/issued' }],
    ['a control character', { number: 'R\u0001' }, {}, { rule: 'value-invalid', path: '/number' }],
    ['an object', { number: { year: 2026 } }, {}, { rule: 'value-invalid', path: '/number' }],
    [
      'text instead of a list',
      { vat: 'none' },
      {},
      { rule: 'list-invalid', path: '/vat', term: 'BG-23 VAT breakdown' },
    ],
    [
      'only some fields of a string',
      {},
      { 'BT-20': 'Pay to {{seller.name}} within {{days}} days' },
      { rule: 'value-invalid', path: '/days', term: 'BT-20 payment terms' },
    ],
    [
      'a missing helper argument',
      {},
      { 'BT-20': '{{multiply discount 2}}' },
      {
        rule: 'value-invalid',
        message:
          'BT-20 payment terms has no value: the template helper multiply failed: a number is missing.',
      },
    ],
  ])('is rejected if it has %s', (_what, data, changes, problem) => {
    const result = createEInvoice(plainSpec('en16931', 'cii', changes), { ...PLAIN_DATA, ...data }, REAL);
    expect('problems' in result && result.problems[0]).toMatchObject(problem);
  });

  it('may lack fields for optional terms', () => {
    const changes = {
      'BT-20': 'Order {{order.number}}',
      'BG-3': { each: 'previous', item: { 'BT-25': '{{number}}' } },
    };
    const xml = xmlOf(createEInvoice(plainSpec('en16931', 'cii', changes), PLAIN_DATA, REAL));
    expect(xml).not.toContain('Order ');
    expect(xml).not.toContain('InvoiceReferencedDocument');
  });

  const references = { 'BG-3': [{ 'BT-25': 'R-1' }, { 'BT-25': 'R-2' }] };

  it.each([
    ['en16931', 'xml'],
    ['xrechnung', 'xml'],
    ['xrechnung', 'factur-x'],
  ] as const)('may refer to only one preceding invoice with CII: %s, %s', (profile, format) => {
    const spec = { ...plainSpec(profile, 'cii', references), format };
    expect(createEInvoice(spec, PLAIN_DATA, REAL)).toMatchObject({
      problems: [{ rule: 'schema', term: 'BG-3 preceding invoice reference' }],
    });
  });

  it.each([
    ['basic', 'cii', 'xml'],
    ['en16931', 'cii', 'factur-x'],
    ['en16931', 'ubl', 'xml'],
    ['xrechnung', 'ubl', 'xml'],
  ] as const)('may refer to several preceding invoices: %s, %s, %s', (profile, syntax, format) => {
    const spec = { ...plainSpec(profile, syntax, references), format };
    expect(createEInvoice(spec, PLAIN_DATA, REAL)).toHaveProperty('xml');
  });

  it('needs a gross price for a discount in CII', () => {
    const { each, item } = PLAIN_MAPPING['BG-25 invoice line'];
    const price = { 'BT-146': '{{price}}', 'BT-147': '1' };
    const lines = { each, item: { ...item, 'BG-29 price details': price } };
    const created = (syntax: 'cii' | 'ubl') =>
      createEInvoice(plainSpec('en16931', syntax, { 'BG-25 invoice line': lines }), PLAIN_DATA, REAL);
    expect(created('cii')).toMatchObject({
      problems: [{ rule: 'schema', term: 'BT-148 item gross price' }, { rule: 'schema' }],
    });
    expect(created('ubl')).toHaveProperty('xml');
  });

  it('declares the values that the page must show, unless the template turns the comparison off', () => {
    const spec = plainSpec('en16931', 'cii');
    expect(createEInvoice(spec, PLAIN_DATA, REAL)).toMatchObject({
      declared: { 'BT-1': 'R-2026-0042', 'BT-2': '2026-11-28', 'BT-5': 'EUR' },
    });
    const long = createEInvoice(spec, { ...PLAIN_DATA, number: '1'.repeat(101) }, REAL);
    expect(long).toMatchObject({ declared: { 'BT-1': undefined, 'BT-2': '2026-11-28' } });
    expect(createEInvoice({ ...spec, compare: false }, PLAIN_DATA, REAL)).not.toHaveProperty('declared');
  });

  it('may contain the due date of a UBL credit note only with payment instructions', () => {
    const changes = { 'BT-3 invoice type code': '381', 'BG-16 payment instructions': undefined };
    expect(createEInvoice(plainSpec('en16931', 'ubl', changes), PLAIN_DATA, REAL)).toMatchObject({
      problems: [{ rule: 'schema', path: '/due', term: 'BT-9 payment due date' }],
    });
  });

  it('may have at most 10,000 lines', () => {
    const many = { ...PLAIN_DATA, lines: Array.from({ length: 10_001 }, () => PLAIN_DATA.lines[0]) };
    expect(createEInvoice(plainSpec('en16931', 'cii'), many, REAL)).toMatchObject({
      problems: [{ rule: 'too-large' }],
    });
  });

  it('may have at most 1 MiB of values', () => {
    const many = {
      ...PLAIN_DATA,
      lines: Array.from({ length: 20 }, () => ({ ...PLAIN_DATA.lines[0], name: 'x'.repeat(60_000) })),
    };
    expect(createEInvoice(plainSpec('en16931', 'cii'), many, REAL)).toMatchObject({
      problems: [{ rule: 'too-large' }],
    });
  });
});

describe('A mapping', () => {
  const at = (path: string, message: string, line: number, column: number) => ({
    path: `/mapping${path}`,
    message: expect.stringContaining(message) as string,
    line,
    column,
  });

  it.each([
    [{ 'BT-999 colour': 'x' }, at('/BT-999 colour', 'is not a business term', 2, 3)],
    [{ 'BT-1 number': 'x' }, at('/BT-1 number', 'write "BT-1 invoice number" or "BT-1"', 2, 3)],
    [{ 'BT-27': 'x' }, at('/BT-27', 'belongs in "BG-4 seller"', 2, 3)],
    [{ 'BG-4': { 'BT-1': 'x' } }, at('/BG-4/BT-1', 'belongs at the top of the mapping', 3, 5)],
    [{ 'BT-125': 'x' }, at('/BT-125', 'BT-125 attached document is not supported', 2, 3)],
    [{ 'BG-2': { 'BT-24': 'x' } }, at('/BG-2/BT-24', 'is set by the profile', 3, 5)],
    [{ 'BT-1': '{{#if a}}b{{/if}}' }, at('/BT-1', 'a block such as {{#if}}', 2, 3)],
    [{ 'BT-1': '{{nonsense a}}' }, at('/BT-1', 'unknown helper "nonsense"', 2, 3)],
    [{ 'BT-1': '{{@../index}}' }, at('/BT-1', '@../ is not supported', 2, 3)],
    [{ 'BT-1': '{{lines a}}' }, at('/BT-1', 'returns HTML', 2, 3)],
    [{ 'BT-1': '{{a' }, at('/BT-1', 'not closed', 2, 3)],
    [{ 'BT-1': ' ' }, at('/BT-1', 'empty', 2, 3)],
    [{ 'BT-1': 12 }, at('/BT-1', 'must be a string', 2, 3)],
    [{ 'BT-1': ['a'] }, at('/BT-1', 'occurs once: a list is not allowed', 2, 3)],
    [{ 'BT-1': { each: 'a', item: 'b' } }, at('/BT-1', 'occurs once: "each" is not allowed', 2, 3)],
    [{ 'BT-3': '12' }, at('/BT-3', 'must be a code in UNTDID 1001', 2, 3)],
    [{ 'BT-2': 'today' }, at('/BT-2', 'must be a date', 2, 3)],
    [{ 'BG-25': { each: '{{lines}}', item: {} } }, at('/BG-25/each', 'without braces', 3, 5)],
    [{ 'BG-25': { each: 'lines' } }, at('/BG-25', '"item" is missing', 2, 3)],
    [{ 'BG-25': { each: 'lines', item: {}, as: 'x' } }, at('/BG-25/as', 'only the fields', 5, 5)],
    [{ 'BG-1': [{ 'BT-22': 'a' }, { 'BT-21': 'AAI' }] }, at('/BG-1/1', 'needs "BT-22 invoice note"', 6, 5)],
    [{ 'BG-4': { 'BT-34': 'a@b' } }, at('/BG-4/BT-34', 'must be an object with "value" and "scheme"', 3, 5)],
    [{ 'BG-4': { 'BT-30': { scheme: '0002' } } }, at('/BG-4/BT-30', '"value" is missing', 3, 5)],
    [{ 'BT-1': 'a', 'BT-1 invoice number': 'b' }, at('/BT-1 invoice number', 'mapped twice', 3, 3)],
    [{}, at('', 'the mapping needs "BT-1 invoice number"', 1, 1)],
  ])('is rejected with the position of its mistake: %j', (mapping, problem) => {
    const spec = { format: 'xml', profile: 'en16931', syntax: 'cii', mapping } as const;
    expect(eInvoiceProblems(spec)).toContainEqual(problem);
  });

  it.each([
    ['basic', 'ubl', 'xml', '/syntax'],
    ['peppol-bis-3', 'ubl', 'factur-x', '/format'],
    ['peppol-bis-3', 'cii', 'xml', '/syntax'],
    ['xrechnung', 'ubl', 'factur-x', '/syntax'],
  ] as const)('is rejected with %s in %s as %s', (profile, syntax, format, path) => {
    expect(eInvoiceProblems({ ...plainSpec(profile, syntax), format })).toMatchObject([{ path }]);
  });

  it.each([
    ['basic', 'BT-11', 'the profile basic does not have "BT-11 project reference"'],
    ['xrechnung', 'BT-10 buyer reference', 'the mapping needs "BT-10 buyer reference"'],
  ] as const)('has the terms of the profile %s', (profile, key, message) => {
    const changes = profile === 'basic' ? { [key]: 'P-1' } : { [key]: undefined };
    const spec = plainSpec(profile, 'cii', changes);
    const mapping = JSON.parse(JSON.stringify(spec.mapping)) as Record<string, unknown>;
    expect(eInvoiceProblems({ ...spec, mapping }).map((problem) => problem.message)).toEqual([message]);
  });

  it('has at most 100 reported mistakes', () => {
    const mapping = { 'BG-1': Array.from({ length: 8000 }, () => ({})) };
    expect(eInvoiceProblems({ ...plainSpec('en16931', 'cii'), mapping })).toHaveLength(100);
  });

  it('is limited to 32 KiB', () => {
    const spec = plainSpec('en16931', 'cii', { 'BT-20': 'x'.repeat(40_000) });
    expect(eInvoiceProblems(spec)).toMatchObject([
      { path: '/mapping', message: 'the mapping is larger than 32 KiB' },
    ]);
  });
});
