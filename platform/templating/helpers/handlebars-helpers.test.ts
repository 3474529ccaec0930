import { describe, expect, it } from 'vitest';
import type { LocaleOptions } from '../locale-options.ts';
import { TemplateCompiler } from '../merge/template-compiler.ts';

const compiler = new TemplateCompiler();
const merged = (html: string, data: Record<string, unknown> = {}, options?: LocaleOptions): string => {
  const page = compiler.compilePage({ html: `<body>${html}</body>` })(data, options);
  return /<body>([^]*)<\/body>/.exec(page)?.[1] ?? page;
};
/** Intl separates with non-breaking spaces. */
const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

it.each([
  ['{{formatDate d "short"}}', '11/21/26'],
  ['{{formatDate d "full" locale="fr-FR"}}', 'samedi 21 novembre 2026'],
  ['{{formatDate d "medium" timeZone="Pacific/Kiritimati"}}', 'Nov 21, 2026'],
  ['{{formatDate t "short" time="short" locale="en-GB"}}', '21/11/2026, 23:30'],
  ['{{formatDate t "short" time="short" locale="en-GB" timeZone="Europe/Berlin"}}', '22/11/2026, 00:30'],
  [
    '{{formatDate local "iso"}} {{formatDate ms "iso"}} {{formatDate offset "iso"}}',
    '2026-11-21 1970-01-02 2026-11-20',
  ],
  ['[{{formatDate missing}}{{formatDate empty}}]', '[]'],
])('formatDate renders %s', (html, text) => {
  const times = { t: '2026-11-21T23:30:00Z', local: '2026-11-21 23:30', ms: 86_400_000, empty: '' };
  const data = { ...times, d: '2026-11-21', offset: '2026-11-21T00:30:00+0200' };
  expect(spaced(merged(html, data))).toBe(text);
});

it.each([
  '2026-02-30',
  '2026-02-30T10:00:00Z',
  '21.11.2026',
  'tomorrow',
  '2026-11-21T25:00:00Z',
  true,
  {},
  1e20,
])('formatDate fails for an invalid date without quoting it: %j', (d) => {
  expect(() => merged('{{formatDate d}}', { d })).toThrow(
    'the template helper formatDate failed: a value is not a date such as 2026-11-21 or 2026-11-21T09:30:00Z',
  );
});

it.each([
  ['{{formatNumber 1234567.891}}', '1,234,567.891'],
  ['{{formatNumber "1234.5" decimals=2 locale="de-DE"}}', '1.234,50'],
  ['{{formatCurrency -3 "usd"}}', '-$3.00'],
  ['{{formatCurrency 1234.5 "JPY" locale="ja-JP"}}', '￥1,235'],
  ['{{formatCurrency 0.125 "EUR" decimals=3}}', '€0.125'],
  [
    '{{formatNumber "9007199254740993"}} {{formatCurrency "-9007199254740993" "EUR"}}',
    '9,007,199,254,740,993 -€9,007,199,254,740,993.00',
  ],
  ['{{formatNumber (multiply -1 0)}}', '0'],
  ['{{formatPercent 0.19}} {{formatPercent 0.075 decimals=1 locale="fr-FR"}}', '19% 7,5 %'],
  ['[{{formatNumber missing}}{{formatCurrency missing "EUR"}}{{formatPercent missing}}]', '[]'],
  ['[{{qrCode missing}}{{barCode missing "ean13"}}]', '[]'],
])('Number formatting formats numbers with %s', (html, text) => {
  expect(spaced(merged(html))).toBe(text);
});

it.each([
  ['{{formatNumber "12 apples"}}', 'formatNumber failed: a value is not a number'],
  ['{{formatNumber 1 locale="not a tag"}}', 'locale= is not a language tag such as de-DE'],
  [`{{formatNumber 1 locale="de-x${'-abcdefgh'.repeat(12)}"}}`, 'locale= is not a language tag'],
  ['{{formatNumber 1 decimals=40}}', 'formatNumber failed: decimals= must be 0 to 12'],
  ['{{formatCurrency 1 "Euro"}}', 'its second argument is not a currency such as EUR'],
  ['{{formatDate 0 timeZone="Berlin"}}', 'timeZone= is not a time zone such as Europe/Berlin'],
  ['{{formatDate "2026-11-21" "pretty"}}', 'the style must be short, medium, long or full'],
])('Number formatting reports the expected input for %s', (html, message) => {
  expect(() => merged(html)).toThrow(message);
});

describe('Locale and time zone in the options', () => {
  const GERMAN = { locale: 'de-DE', timeZone: 'Europe/Berlin' };
  const data = { t: '2026-11-21T23:30:00Z', d: '2026-11-21', name: 'Isparta', tags: ['a'], french: 'fr-FR' };

  it.each([
    ['{{formatDate t "short" time="short"}}', '22.11.26, 00:30'],
    ['{{formatDate t "short" time="short" locale="en-US"}}', '11/22/26, 12:30 AM'],
    ['{{formatDate t "short" time="short" timeZone="UTC"}}', '21.11.26, 23:30'],
    ['{{formatDate d "long"}} {{formatDate t "iso"}}', '21. November 2026 2026-11-21'],
    ['{{formatNumber 1234.5}} {{formatPercent 0.5}}', '1.234,5 50 %'],
    ['{{formatCurrency 1234.5 "EUR"}}', '1.234,50 €'],
    ['{{formatCurrency 1234.5 "EUR" locale=french}}', '1 234,50 €'],
    ['{{formatCurrency 1234.5 "EUR" locale=missing}}', '1.234,50 €'],
    ['{{#each tags}}{{formatNumber 0.5}}{{/each}}', '0,5'],
    ['{{#*inline "p"}}{{formatNumber 0.5}}{{/inline}}{{> p}}', '0,5'],
    ['{{uppercase (formatNumber 0.5)}}', '0,5'],
    ['[{{formatNumber}}{{locale}}{{timeZone}}{{@locale}}{{@timeZone}}]', '[]'],
  ])('are defaults for helpers: %s', (html, text) => {
    expect(spaced(merged(html, data, GERMAN))).toBe(text);
  });

  it('apply to case changes', () => {
    const html = '{{uppercase "i"}} {{lowercase "I"}} {{uppercase "i" locale="en"}}';
    expect(merged(html, data, { locale: 'tr' })).toBe('İ ı I');
  });

  it('can be set separately', () => {
    const html = '{{formatDate t "short" time="short"}}';
    expect(spaced(merged(html, data, { locale: 'de-DE' }))).toBe('21.11.26, 23:30');
    expect(spaced(merged(html, data, { timeZone: 'Europe/Berlin' }))).toBe('11/22/26, 12:30 AM');
  });

  it('do not affect the next merge of the same template', () => {
    const page = compiler.compilePage({ html: '<body>{{formatNumber 1234.5}}' });
    const texts = [GERMAN, {}, { locale: 'en-IN' }, GERMAN].map((options) => page({}, options));
    expect(texts).toEqual(['<body>1.234,5', '<body>1,234.5', '<body>1,234.5', '<body>1.234,5']);
  });

  it('keep the position of a failed helper call', () => {
    expect(() => merged('\n{{formatNumber d}}', data, GERMAN)).toThrow(
      'the template helper formatNumber failed: a value is not a number (line 2, column 1)',
    );
  });
});

describe('Arithmetic helpers', () => {
  it.each([
    ['{{add 0.1 0.2}}', '0.3'],
    ['{{add 1 2 "3"}}', '6'],
    ['{{subtract 1 0.9}}', '0.1'],
    ['{{multiply 3 19.99}}', '59.97'],
    ['{{divide 1 8}}', '0.125'],
    [
      '{{round 2.5}} {{round -2.5}} {{round 1.005 2}} {{round tiny 2}} {{round 123456789.125 2}}',
      '3 -3 1.01 0 123456789.13',
    ],
    ['{{sum lines "total"}} {{sum list}} {{sum none "total"}}', '3.3 6 0'],
    ['{{formatCurrency (multiply qty price) "EUR"}}', '€9.00'],
    ['{{add 9007199254740990 1}} {{round "9007199254740991"}}', '9007199254740991 9007199254740991'],
    ['{{add " -1.50 " "+.5"}} {{add "3." 0}} {{round big 12}}', '-1 3 1e+308'],
  ])('calculates %s', (html, text) => {
    const lists = { lines: [{ total: 1.1 }, { total: '2.2' }], list: [1, 2, 3], none: [] };
    expect(merged(html, { ...lists, qty: 3, price: 3, tiny: 1e-9, big: 1e308 })).toBe(text);
  });

  it.each([
    ['{{add 1 missing}}', 'add failed: a number is missing'],
    ['{{divide 1 0}}', 'divide failed: the divisor is 0'],
    ['{{sum lines "total"}}', 'sum failed: a number is missing'],
    ['{{sum lines "constructor"}}', 'sum failed: a number is missing'],
    ['{{sum missing}}', 'sum failed: the list is missing'],
    ['{{sum missing "total"}}', 'sum failed: the list is missing'],
    ['{{sum text}}', 'sum failed: its argument must be a list'],
    ...['add long 1', 'subtract 1 long', 'multiply long 1', 'divide long 1', 'round long', 'sum longs'].map(
      (call) => [`{{${call}}}`, `${call.split(' ')[0]} failed: a value is an integer beyond 2^53`],
    ),
    ['{{eq 9007199254740993 long}}', 'eq failed: write an integer beyond 2^53 in quotes'],
    ['{{#ne long 9007199254740993}}{{/ne}}', 'ne failed: write an integer beyond 2^53 in quotes'],
    ['{{formatDate long}}', 'formatDate failed: a value is not a date'],
    ['{{round 1 0.5}}', 'round failed: the number of decimals must be 0 to 12'],
    ['{{gt lines this}}', 'gt failed: its arguments must be two numbers or two strings'],
  ])('fails for %s instead of printing a wrong number', (html, message) => {
    const long = '9007199254740993';
    expect(() => merged(html ?? '', { lines: [{}], text: 'x', long, longs: [long] })).toThrow(message);
  });

  it.each([
    ['add', '{{add big big}}'],
    ['add', '{{add most 0}}'],
    ['subtract', '{{subtract less big}}'],
    ['multiply', '{{multiply big 10}}'],
    ['divide', '{{divide big 0.01}}'],
    ['round', '{{round most}}'],
    ['sum', '{{sum bigs}}'],
  ])('%s fails if the result is not finite: %s', (helper, html) => {
    const data = { big: 1e308, less: -1e308, bigs: [1e308, 1e308], most: Number.MAX_VALUE };
    expect(() => merged(html, data)).toThrow(`${helper} failed: the result is too large`);
  });

  it.each(['0x10', '0b1', '0o7', '1e3', 'Infinity', '1,000', '1 000', '.', '-', '٣', '9'.repeat(400)])(
    'parses only plain decimals as numbers, not %s',
    (text) => {
      for (const html of ['{{add text 1}}', '{{sum list}}', '{{formatCurrency text "EUR"}}']) {
        expect(() => merged(html, { text, list: [text] })).toThrow('failed: a value is not a number');
      }
      expect(() => merged('{{gt text 1}}', { text })).toThrow(
        'its arguments must be two numbers or two strings',
      );
    },
  );
});

it.each([
  ['{{#if (gt 10 9)}}y{{/if}}', 'y'],
  ['{{#gt "10" 9}}y{{else}}n{{/gt}}', 'y'],
  ['{{#lt "2026-01-01" "2026-11-21"}}y{{/lt}}', 'y'],
  ['{{#eq status "paid"}}{{status}}!{{else}}n{{/eq}}', 'paid!'],
  ['{{#ne status "paid"}}y{{else}}n{{/ne}}', 'n'],
  ['{{#gte 1 1}}a{{/gte}}{{#lte 1 1}}b{{/lte}}{{#gt missing 1}}c{{/gt}}', 'ab'],
  ['{{#and status list}}y{{else}}n{{/and}}{{#or status list}}y{{/or}}{{#not list}}y{{/not}}', 'nyy'],
  ['{{default missing "–"}} {{default status "–"}} {{default zero 5}}', '– paid 0'],
  ['{{eq 1 1}} {{not 0}}', 'true true'],
  ['{{gt long less}} {{lt less long}} {{gt long 1.5}} {{lte long long}}', 'true true true true'],
  [
    '{{eq long "9007199254740993"}} {{eq long other}} {{eq long 1}} {{eq even long}}',
    'true false false false',
  ],
])('Comparison helpers evaluate %s', (html, text) => {
  const numbers = {
    zero: 0,
    long: '9007199254740993',
    less: 2 ** 53,
    even: 2 ** 53 + 4,
    other: '9007199254740992',
  };
  expect(merged(html, { status: 'paid', list: [], ...numbers })).toBe(text);
});

it.each([
  ['{{uppercase name}} {{lowercase "İ" locale="tr"}}', 'STRASSE &amp; CO i'],
  ['{{join tags}} {{join tags " | "}} [{{join missing}}]', 'a, &lt;b&gt; a | &lt;b&gt; []'],
  ['{{lines address}}', '1 &lt;Main&gt; St<br>Springfield<br>'],
])('Text helpers format text with %s', (html, text) => {
  const data = { name: 'Straße & Co', tags: ['a', '<b>'], address: '1 <Main> St\r\nSpringfield\n' };
  expect(merged(html, data)).toBe(text);
});

describe('QR codes and bar codes', () => {
  it('draws a QR code at the given size', () => {
    const svg = merged('{{qrCode url size="25mm"}}', { url: 'https://example.com/?a=1&b=2' });
    expect(svg).toMatch(/^<svg style="width:25mm;height:25mm" viewBox="0 0 \d+ \d+"[^]*<path[^]*<\/svg>$/);
  });

  const codes: Record<string, string> = {
    itf14: '04601234567893',
    'gs1-128': '(01)04601234567893',
    ean13: '4006381333931',
    ean8: '96385074',
    upca: '036000291452',
  };
  const linear = ['code128', 'code39', 'itf14', 'gs1-128', 'ean13', 'ean8', 'upca'];
  const barCode = (kind: string, named: string) =>
    merged(`{{barCode code kind ${named}}}`, { kind, code: codes[kind] ?? 'ABC-123' });
  const ratioOf = (svg: string) => {
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
    return Number(height) / Number(width);
  };

  it.each(['code128', 'code39', 'itf14', 'gs1-128', 'datamatrix', 'pdf417'])('draws %s', (kind) => {
    expect(barCode(kind, '')).toMatch(/^<svg style="height:15mm" [^]*<\/svg>$/);
  });

  it.each(['ean13', 'ean8', 'upca'])('draws %s with the minimum bar width for shops', (kind) => {
    const modules = kind === 'ean8' ? 67 : 95;
    const width = `width:${(modules * 0.264).toFixed(2)}mm`;
    expect(barCode(kind, '')).toMatch(new RegExp(`^<svg style="${width}" viewBox="0 0 ${2 * modules} `));
    expect(barCode(kind, 'text=true')).toContain(`<svg style="${width}" `);
    expect(barCode(kind, 'height="15mm"')).toContain('<svg style="height:15mm" ');
  });

  it.each(linear)('stretches the bars of %s to the given width and height', (kind) => {
    const svg = barCode(kind, 'width="50mm" height="5mm"');
    expect(svg).toMatch(/^<svg style="width:50mm;height:5mm" preserveAspectRatio="none" /);
  });

  it.each(linear)('shortens the bars of %s to make room for the text', (kind) => {
    const svg = barCode(kind, 'width="5cm" height="2cm" text=true');
    expect(svg).toMatch(/^<svg style="width:5cm;height:2cm" preserveAspectRatio="none" /);
    expect(ratioOf(svg)).toBeCloseTo(0.4, 2);
    expect(ratioOf(barCode(kind, 'width="144pt" height="4in" text=true'))).toBeCloseTo(2, 2);
    expect(() => barCode(kind, 'width="50mm" height="2mm" text=true')).toThrow(
      'barCode failed: height= leaves no room for bars above the text',
    );
  });

  it.each(['datamatrix', 'pdf417'])('keeps the proportions of %s', (kind) => {
    expect(barCode(kind, 'width="50mm" height="5mm"')).not.toContain('preserveAspectRatio');
  });

  it.each(['ünï', 'a\u0080', '1€', '😀'])('rejects characters that code128 cannot encode: %s', (code) => {
    expect(() => merged('{{barCode code "code128"}}', { code })).toThrow(
      'barCode failed: the value cannot be written as code128: it contains non-ASCII characters',
    );
  });

  it.each(linear)('rejects umlauts in %s', (kind) => {
    expect(() => merged('{{barCode "(10)ü" kind}}', { kind })).toThrow(
      `barCode failed: the value cannot be written as ${kind}: `,
    );
  });

  it.each([
    ['{{barCode secret "ean13"}}', 'the value cannot be written as ean13: EAN-13 must be 12 or 13 digits'],
    ['{{barCode secret "qr"}}', 'its second argument must be one of code128'],
    ['{{qrCode secret size="1;background:url(x)"}}', 'size= is not a length such as 30mm'],
    ['{{qrCode secret size="0mm"}}', 'qrCode failed: size= is 0: nothing would be drawn'],
    ['{{barCode secret "code128" height="0.00mm"}}', 'barCode failed: height= is 0'],
    ['{{barCode secret "code128" width="0px" height="5mm"}}', 'barCode failed: width= is 0'],
    ['{{qrCode secret level="X"}}', 'level= must be one of L, M, Q, H'],
    ['{{qrCode long}}', 'the value cannot be written as qrcode'],
  ])('explains the problem in %s without quoting the value', (html, message) => {
    const data = { secret: 'my-secret', long: 'my-secret'.repeat(1000) };
    expect(() => merged(html, data)).toThrow(message);
    expect(() => merged(html, data)).not.toThrow(/my-secret/);
  });
});

it('A name that is also a helper is a data binding if it has no arguments', () => {
  const data = { sum: 12, default: '<b>', lines: [{ add: 1 }, { add: 2 }], not: { x: 'in' } };
  expect(merged('{{sum}} {{default}} {{#each lines}}{{add}}{{/each}} {{#not}}{{x}}{{/not}}', data)).toBe(
    '12 &lt;b&gt; 12 in',
  );
  expect(merged('{{#lines}}{{add}};{{/lines}}[{{eq}}{{join}}]', data)).toBe('1;2;[]');
});

it('A name that is also a helper does not read inherited properties', () => {
  const data = JSON.parse('{"__proto__": {"sum": "polluted"}}') as Record<string, unknown>;
  expect(merged('[{{sum}}]', Object.create({ sum: 'inherited' }) as Record<string, unknown>)).toBe('[]');
  expect(merged('[{{sum}}]', data)).toBe('[]');
});

it.each([
  ['{{add 1 x}}', 1, 1],
  ['<p>\n <b>{{add 1 x}}', 2, 5],
  ['<head>{{add 1 x}}</head><body>', 1, 7],
  ['<head></head><body>{{add 1 x}}', 1, 20],
  ['<body>{{add 1 x}}', 1, 7],
  ['<!doctype html>{{add 1 x}}', 1, 16],
  ['<head>\n</head>\n{{#if (gt (add 1 x) 1)}}{{/if}}', 3, 11],
  ['{{#*inline "p"}}\n  {{add 1 x}}{{/inline}}{{> p}}', 2, 3],
  ['{{#gt 2 1}}\n {{#each l}}{{add 1 x}}{{/each}}{{/gt}}', 2, 13],
])('A failing helper call reports its position in %j', (html, line, column) => {
  const failed = `the template helper add failed: a number is missing (line ${line}, column ${column})`;
  expect(() => compiler.compilePage({ html })({ l: [{}] })).toThrow(failed);
});

it('A failing helper call reports its position in a header and in plain text', () => {
  expect(() => compiler.compileDecoration('p {{page}} {{add 1 x}}')({})).toThrow('(line 1, column 12)');
  expect(() => compiler.compilePlainText('a\n{{add 1 x}}')({})).toThrow('(line 2, column 1)');
});

describe('A payment code', () => {
  const creditor = { name: 'Acme', zip: 8000, city: 'Zürich', country: 'CH' };
  const abroad = { ...creditor, country: 'Suisse' };
  const data = { creditor, abroad, long: 'my-secret'.repeat(20), secret: 'my-secret' };

  it.each([
    ['iban="DE33"', 'iban= is not an IBAN with valid check digits'],
    ['iban="DE34100205000001194700"', 'iban= is not an IBAN with valid check digits'],
    ['', 'iban= is missing'],
    ['iban=iban name=long', 'name= has more than 70 characters'],
    ['iban=iban amount=0', 'amount= must be between 0.01 and 999999999.99'],
    ['iban=iban amount=1000000000', 'amount= must be between'],
    ['iban=iban amount=1.005', 'amount= has more than two decimals'],
    ['iban=iban amount=secret', 'a value is not a number'],
    ['iban=iban currency="USD"', 'currency= must be EUR'],
    ['iban=iban bic=secret', 'bic= is not a BIC'],
    ['iban=iban reference="RF19539007547034"', 'reference= is not a creditor reference'],
    ['iban=iban reference="1" text="2"', 'use reference= or text=, not both'],
    ['iban=iban text=long', 'text= has more than 140 characters'],
    ['iban=iban size="0mm"', 'size= is 0'],
  ])('fails for a SEPA credit transfer with %s', (named, message) => {
    const html = `{{epcQr ${named.includes('name=') ? named : `name="Acme" ${named}`}}}`;
    const call = () => merged(html, { ...data, iban: 'DE33100205000001194700' });
    expect(call).toThrow(`epcQr failed: ${message}`);
    expect(call).not.toThrow(/my-secret/);
  });

  it.each([
    ['iban="DE33100205000001194700" creditor=a', 'iban= is not an IBAN of Switzerland or Liechtenstein'],
    ['iban=qrIban creditor=a', 'this iban= requires reference= with a 27-digit QR reference'],
    ['iban=qrIban creditor=a reference="210000000003139471430009018"', 'this iban= requires reference='],
    ['iban=iban creditor=a reference="210000000003139471430009017"', 'reference= is not a creditor'],
    ['iban=iban', 'creditor= is missing'],
    ['iban=iban creditor=secret', 'creditor= is not an object'],
    ['iban=iban creditor=abroad', 'creditor.country= has more than 2 characters'],
    ['iban=iban creditor=a debtor=(lookup this "nobody")', undefined],
    ['iban=iban creditor=a message="漢字"', 'a value has characters that the Swiss QR-bill does not allow'],
    ['iban=iban creditor=a currency="USD"', 'currency= must be CHF or EUR'],
    ['iban=iban creditor=a language="rm"', 'language= must be en or de or fr or it'],
  ])('checks a Swiss QR-bill with %s', (named, message) => {
    const ibans = { iban: 'CH9300762011623852957', qrIban: 'CH4431999123000889012' };
    const call = () => merged(`{{swissQrBill ${named}}}`, { ...data, ...ibans, a: creditor });
    if (message === undefined) expect(call()).toContain('Zürich');
    else expect(call).toThrow(`swissQrBill failed: ${message}`);
  });

  it("shows its headings in the locale's language and escapes names", () => {
    const call = '{{swissQrBill iban="CH9300762011623852957" creditor=creditor locale="x"}}';
    expect(() => merged(call, data)).toThrow('swissQrBill does not support "locale="');
    const escaped = merged('{{swissQrBill iban="CH9300762011623852957" creditor=creditor language="fr"}}', {
      creditor: { ...creditor, name: '<b>' },
    });
    expect(escaped).toContain('Section paiement');
    expect(escaped).toContain('&lt;b&gt;');
  });

  it('is an ordinary binding if it has no arguments', () => {
    expect(merged('{{epcQr}}', { epcQr: 'value' })).toBe('value');
  });
});
