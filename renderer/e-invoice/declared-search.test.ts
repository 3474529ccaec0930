import { describe, expect, it } from 'vitest';
import { DeclaredSearch } from './declared-search.ts';

const DECLARED = {
  'BT-1': '2026-42',
  'BT-2': '2026-03-08',
  'BT-5': 'EUR',
  'BT-110': '19.00',
  'BT-115': '1190.00',
};

async function missing(
  declared: Partial<typeof DECLARED>,
  text: string,
  { locale, language }: { readonly locale?: string; readonly language?: string } = {},
): Promise<string[]> {
  const search = new DeclaredSearch(declared, locale);
  await search.read({ shownText: async () => ({ text, ...(language !== undefined && { language }) }) });
  return search.warnings().map(({ message }) => message);
}

describe('An amount', () => {
  it.each([
    [
      'de-DE',
      '1190.00',
      'EUR',
      [
        '1.190,00 €',
        '1190,00',
        '1.190 EUR',
        '1190 €',
        '1\u00a0190,00\u00a0EUR',
        '1,190.00',
        '(1.190,00)',
        '−1.190,00 €',
        '1.190,00.',
        'Summe\t1.190,00\n19,00',
        '1.190,– €',
        'EUR1190.00',
      ],
    ],
    ['de-AT', '1190.00', 'EUR', ['€ 1 190,00', '1\u00a0190,00', '1 190 €']],
    ['de-CH', '1190.00', 'CHF', ['CHF 1’190.00', "1'190.00", '1190.–']],
    ['fr-FR', '1190', 'EUR', ['1\u202f190,00\u00a0€', '1 190', '1190']],
    ['en-IN', '1234567.5', 'INR', ['₹12,34,567.50', '1,234,567.50', '1234567.5']],
    ['en-US', '144.7', 'USD', ['$144.70', '144.7', '10 144.70']],
    ['ja-JP', '1190', 'JPY', ['￥1,190', '1190円', '1,190.']],
    ['hu-HU', '119000.00', 'HUF', ['119 000 Ft', '119\u00a0000,00 Ft', '119000 Ft']],
    ['es-CO', '119000.00', 'COP', ['$ 119.000', '$119000']],
    ['en-US', '1.5', 'KWD', ['KWD 1.500', '1.5']],
    ['ar-EG', '1190.00', 'EGP', ['\u200f١٬١٩٠٫٠٠ ج.م.', '1,190.00']],
    ['en-US', '-25.00', 'EUR', ['-25.00', '€25.00', '–25,00']],
  ])('is found in %s: %s %s', async (locale, value, currency, texts) => {
    for (const text of texts) {
      expect(await missing({ 'BT-115': value, 'BT-5': currency }, text, { locale }), text).toEqual([]);
    }
  });

  it.each([
    ['en-US', '10.00', 'EUR', ['110.00', '10.005', '10.000,00', '2,210.00', '1\u00a0010.00', '100.0', '']],
    [
      'de-DE',
      '1190.00',
      'EUR',
      ['1,190', '1 190,00', '1.190,50', '11.190,00', '1.1900,00', '1\n190,00', '1\t190,00', '1.190,00,00'],
    ],
    ['en-US', '1190', 'JPY', ['1.190', '11,190', '1,190,000', '1,190.50']],
    ['en-US', '1', 'JPY', ['12', '1.5', '1,000', '21']],
    [
      'en-US',
      '19.00',
      'EUR',
      ['19.00 %', '19%', '19.00\u00a0%', '19.5', '2026-03-19', '19/03/2026', '19:30'],
    ],
  ])('is not found in %s: %s %s', async (locale, value, currency, texts) => {
    for (const text of texts) {
      expect(await missing({ 'BT-115': value, 'BT-5': currency }, text, { locale }), text).toHaveLength(1);
    }
  });

  it('need not be shown if it is zero', async () => {
    expect(await missing({ 'BT-110': '0.00', 'BT-115': '0.00' }, 'Paid')).toEqual([]);
  });
});

describe('A date', () => {
  it.each([
    [
      'de-DE',
      [
        '8.3.2026',
        '08.03.26',
        '8. März 2026',
        '8.März 2026',
        '08.03.2026, 12:00',
        '2026-03-08',
        'Sonntag, 8. März 2026',
        '8/3/2026',
        '01.03.2026-08.03.2026',
      ],
    ],
    ['en-US', ['3/8/26', '03/08/2026', 'March 8th, 2026', 'March 8 2026', 'MAR 8, 2026', '08-Mar-2026']],
    ['en-GB', ['8 March 2026', '08/03/2026', '8 Mar 2026', '8th March, 2026', '08.Mar.26']],
    ['bg-BG', ['8.03.2026 г.', '8.03.2026', '08.03.2026', '8 март 2026']],
    ['fr-FR', ['08/03/2026', '8 mars 2026', '8-mars-2026']],
    ['cs-CZ', ['8. 3. 2026', '8.3.2026', '8. března 2026']],
    ['hr-HR', ['08. 03. 2026.', '8.3.2026']],
    ['nl-NL', ['8-3-2026', '08-03-2026', '8 mrt 2026']],
    ['ja-JP', ['発行日2026年3月8日', '2026/03/08']],
    ['ar-EG', ['٨‏/٣‏/٢٠٢٦', '8/3/2026']],
    ['th-TH', ['8/3/2569', '8 มีนาคม 2569', '8/3/2026']],
  ])('is found in %s', async (locale, texts) => {
    for (const text of texts)
      expect(await missing({ 'BT-2': '2026-03-08' }, text, { locale }), text).toEqual([]);
  });

  it('is found in the language of the page', async () => {
    const page = { locale: 'en-US', language: 'de' };
    expect(await missing({ 'BT-2': '2026-03-08' }, '8. März 2026', page)).toEqual([]);
    expect(await missing({ 'BT-2': '2026-03-08' }, '8. März 2026', { language: 'not a tag' })).toHaveLength(
      1,
    );
  });

  it.each(['18.3.2026', '8.3.2027', '8.3.20265', '8. Mai 2026', '18-März-2026', '3/8/2026', '8 3 2026', ''])(
    'is not found in de-DE: %s',
    async (text) => {
      expect(await missing({ 'BT-2': '2026-03-08' }, text, { locale: 'de-DE' })).toHaveLength(1);
    },
  );
});

describe('An invoice number', () => {
  it.each([
    ['42', ['No. 42.', '#42', '(42)', 'Nr.: 42, vom', 'Rechnung\t42\n', '4\u00ad2']],
    ['RE-2026/7', ['RE-2026/7', 'RE\u20112026/7', 're-2026/7']],
    ['RE 7', ['RE\u00a07', 'Re  7', 'RE\n7']],
    ['[7+', ['[7+']],
  ])('is found: %s', async (number, texts) => {
    for (const text of texts) expect(await missing({ 'BT-1': number }, text), text).toEqual([]);
  });

  it.each([
    ['42', ['142', '420', 'A42', '2026-42', '42/1', '42.00', '']],
    ['RE-2026/7', ['RE-2026/71', 'pre-2026/7', 'RE-2026']],
  ])('is not found: %s', async (number, texts) => {
    for (const text of texts) expect(await missing({ 'BT-1': number }, text), text).toHaveLength(1);
  });

  it.each([
    ['is invisible', '\u200b\u00a0'],
    ['has more than 100 characters', '4'.repeat(101)],
  ])('is not searched for if it %s', async (_what, number) => {
    expect(await missing({ 'BT-1': number }, 'A')).toEqual([]);
  });
});

describe('The search', () => {
  it('names what is declared, and the closest value or what was looked for', async () => {
    const text = 'Rechnung 2026-24 vom 9.3.2026\n1.000,00 €\n91,00 €\n1.091,00 €';
    expect(await missing(DECLARED, text, { locale: 'de-DE' })).toEqual([
      'BT-1 invoice number is 2026-42 in the e-invoice, but the closest value on the pages is 2026-24.',
      'BT-2 invoice issue date is 2026-03-08 in the e-invoice, but the pages do not show 08.03.2026.',
      'BT-110 invoice total VAT amount is 19.00 in the e-invoice, but the closest value on the pages is 91,00.',
      'BT-115 amount due for payment is 1190.00 in the e-invoice, but the closest value on the pages is 1.091,00.',
    ]);
  });

  it('includes the text of all sheets', async () => {
    const search = new DeclaredSearch(DECLARED);
    for (const text of ['1,190.00', '2026-42 of 2026-03-08 19.00']) {
      await search.read({ shownText: async () => ({ text }) });
    }
    expect(search.warnings()).toEqual([]);
  });

  it('has no warnings if some text cannot be read', async () => {
    const search = new DeclaredSearch(DECLARED);
    await search.read({ shownText: async () => ({ text: '' }) });
    await search.read({ shownText: async () => Promise.reject(new Error('the page is gone')) });
    expect(search.warnings()).toEqual([]);
    const large = new DeclaredSearch(DECLARED);
    await large.read({ shownText: async () => undefined });
    expect(large.warnings()).toEqual([]);
  });
});
