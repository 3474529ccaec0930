import { describe, expect, it } from 'vitest';
import { PLAIN_DATA } from '../../testing/e-invoices/plain-mapping.ts';
import { plainSpec } from '../../testing/e-invoices/plain-spec.ts';
import { eInvoiceCreator } from '../create-e-invoice.ts';
import type { EInvoiceProfile } from '../e-invoice-spec.ts';
import { checkSuppliedEInvoice } from './read-e-invoice.ts';

const XML = plainXml('en16931');
const SELLER = '<ram:SellerTradeParty>';
const NAMESPACE = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';

function plainXml(profile: EInvoiceProfile): string {
  const result = eInvoiceCreator(plainSpec(profile, 'cii'), { test: false })(PLAIN_DATA);
  return 'xml' in result ? result.xml : expect.fail(JSON.stringify(result.problems));
}

function changed(from: string | RegExp, to: string, xml = XML): string {
  const result = xml.replace(from, to);
  return result === xml ? expect.fail(`the XML does not contain ${String(from)}`) : result;
}

/** Adds XML before an element. */
const before = (tag: string, more: string) => changed(tag, `${more}${tag}`);
/** Repeats an element without children. */
const twice = (name: string) => changed(new RegExp(`(<ram:${name}[ >].*</ram:${name}>)`), '$1$1');
/** Repeats an element with children. */
const twiceAll = (name: string) => changed(new RegExp(`(<${name}>[^]*</${name}>)`), '$1$1');
const without = (pattern: RegExp) => changed(pattern, '');
/** Adds the code for the VAT date to the first entry of the VAT breakdown. */
const withVatDate = (code: string) =>
  changed(
    /<ram:CalculatedAmount>[^]*?<\/ram:CategoryCode>/,
    `$&<ram:DueDateTypeCode>${code}</ram:DueDateTypeCode>`,
  );
const first = (name: string, text: string) => changed(new RegExp(`(<ram:${name}[^>]*>)[^<]*`), `$1${text}`);

type Case = readonly [what: string, xml: string, rule: string, message: string];

const problems = (xml: string, profile: EInvoiceProfile = 'en16931') => checkSuppliedEInvoice(xml, profile);
const isRejected = (cases: readonly Case[]) =>
  it.each(cases)('is rejected: %s', (_what, xml, rule, message) => {
    const found = problems(xml);
    expect(found[0]).toMatchObject({ rule, message: expect.stringContaining(message) as string });
    expect(found.length).toBeLessThanOrEqual(100);
    for (const problem of found) expect(problem.message.length).toBeLessThan(1000);
  });

describe('A CII invoice that a caller wrote', () => {
  it.each<[what: string, xml: string]>([
    ['as Trifold writes it', XML],
    ['a byte order mark', `\uFEFF${XML}`],
    ['no XML declaration', without(/^<\?xml.*\?>\n/)],
    ['a declaration without encoding', changed(' encoding="UTF-8"', '')],
    ['a lowercase declaration', changed('UTF-8', 'utf-8')],
    ['Windows line ends', XML.replaceAll('\n', '\r\n')],
    ['no indentation', XML.replaceAll(/>\s+</g, '><')],
    ['comments', XML.replaceAll(/(<ram:\w+>)/g, '$1<!-- <!DOCTYPE a> &b; -->')],
    ['processing instructions', before(SELLER, '<?xml-stylesheet href="a.xsl"?>')],
    ['CDATA', changed(/>Support</, '><![CDATA[Support]]><')],
    ['character references', changed(/>Support</, '>S&#117;pp&#x6f;rt<')],
    ['spaces around values', changed('>EUR<', '>\n  EUR\n<')],
    ['other prefixes', XML.replaceAll('ram:', 'a:').replaceAll(':ram=', ':a=')],
    ['a default namespace', XML.replaceAll('<ram:', '<').replaceAll('</ram:', '</').replace(':ram=', '=')],
    [
      'the location of the schema',
      changed(
        'xmlns:ram',
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a a.xsd" xmlns:ram',
      ),
    ],
    ['single quotes', changed(/xmlns:ram="([^"]+)"/, "xmlns:ram='$1'")],
    ['a code for the VAT date', withVatDate('5')],
  ])('is valid with %s', (_what, xml) => {
    expect(problems(xml)).toEqual([]);
  });

  it('must follow the rules of its profile', () => {
    const [found] = problems(changed('>1189.74</ram:DuePayableAmount>', '>1189.75</ram:DuePayableAmount>'));
    expect(found).toMatchObject({ rule: 'BR-CO-16', term: 'BT-115 amount due for payment' });
    expect(problems(XML, 'xrechnung')).toMatchObject([
      { rule: 'profile', term: expect.stringMatching(/^BT-24/) },
    ]);
    expect(problems(plainXml('basic'), 'basic')).toEqual([]);
    const xRechnung = plainXml('xrechnung');
    expect(problems(xRechnung, 'xrechnung')).toEqual([]);
    const withoutProcess = xRechnung.replace(/<ram:BusinessProcess[^]*<\/ram:BusinessProcess\w+>/, '');
    expect(problems(withoutProcess, 'xrechnung')).toMatchObject([{ rule: 'PEPPOL-EN16931-R001' }]);
  });

  it('must not have a term that its profile excludes', () => {
    const name = /(<ram:SellerTradeParty>\s*<ram:Name>.*<\/ram:Name>)/;
    const xml = changed(name, '$1<ram:Description>AG</ram:Description>', plainXml('basic'));
    const message = 'BT-33 seller additional legal information is not in the profile basic.';
    expect(problems(xml, 'basic')).toMatchObject([{ rule: 'profile', message }]);
  });

  it('may repeat the base quantity in the gross price, and the payment means for each account', () => {
    const gross =
      '<ram:ChargeAmount>95.5</ram:ChargeAmount><ram:BasisQuantity unitCode="HUR">1</ram:BasisQuantity>';
    const net = '<ram:NetPriceProductTradePrice>';
    const withGross = (quantity: string) =>
      changed(
        /<ram:NetPriceProductTradePrice>\s*<ram:ChargeAmount>95.5<\/ram:ChargeAmount>/,
        `<ram:GrossPriceProductTradePrice>${gross.replace('>1<', `>${quantity}<`)}</ram:GrossPriceProductTradePrice>${net}${gross}`,
      );
    expect(problems(withGross('1'))).toEqual([]);
    expect(problems(withGross('2'))).toMatchObject([{ term: expect.stringMatching(/^BT-149/) }]);
    const means =
      /<ram:SpecifiedTradeSettlementPaymentMeans>[^]*?<\/ram:SpecifiedTradeSettlementPaymentMeans>/;
    expect(problems(changed(means, '$&$&'))).toEqual([]);
    const [first = ''] = means.exec(XML) ?? [];
    const contradictory = changed(means, `$&${first.replace('>58<', '>30<')}`);
    expect(problems(contradictory)).toMatchObject([{ term: 'BG-16 payment instructions' }]);
  });
});

const unknown = 'is not an element that Trifold can check';
const withoutPayment = without(
  /<ram:SpecifiedTradeSettlementPaymentMeans>[^]*<\/ram:SpecifiedTradeSettlementPaymentMeans>/,
);
const more = 'occurs more than once';

describe('The content of a CII invoice', () => {
  isRejected([
    ['another profile', changed('urn:cen.eu:en16931:2017', 'urn:own'), 'profile', 'BT-24'],
    [
      'no profile',
      without(/<rsm:ExchangedDocumentContext>[^]*<\/rsm:ExchangedDocumentContext>/),
      'profile',
      'BT-24',
    ],
    [
      'an unknown element',
      before(SELLER, '<ram:Color>red</ram:Color>'),
      'xml-element',
      `Agreement/ram:Color ${unknown}`,
    ],
    ['an unknown element without text', before(SELLER, '<ram:Color/>'), 'xml-element', unknown],
    [
      'an unknown element in a value',
      changed('>380<', '>380<ram:Color/><'),
      'xml-element',
      'TypeCode may not contain this text',
    ],
    [
      'nested unknown elements',
      before(SELLER, '<ram:A><ram:B><ram:C>1</ram:C></ram:B></ram:A>'),
      'xml-element',
      `ram:A ${unknown}`,
    ],
    [
      'an element from another namespace',
      before(SELLER, '<x xmlns="urn:x">1</x>'),
      'xml-element',
      `?:x ${unknown}`,
    ],
    ['an element without a namespace', before(SELLER, '<x>1</x>'), 'xml-element', unknown],
    [
      'an element in the wrong place',
      before(SELLER, '<ram:DuePayableAmount>1</ram:DuePayableAmount>'),
      'xml-element',
      unknown,
    ],
    ['an element with a wrong prefix', XML.replaceAll('udt:', 'qdt:'), 'xml-element', unknown],
    ['another version of the namespace', XML.replace(NAMESPACE, `${NAMESPACE}0`), 'profile', 'BT-24'],
    [
      'an attached file',
      before(
        '</ram:ApplicableHeaderTradeAgreement>',
        '<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>1</ram:IssuerAssignedID><ram:TypeCode>916</ram:TypeCode><ram:AttachmentBinaryObject mimeCode="text/csv" filename="a">QQ==</ram:AttachmentBinaryObject></ram:AdditionalReferencedDocument>',
      ),
      'xml-element',
      `AttachmentBinaryObject ${unknown}`,
    ],
    [
      'a document of another type',
      before(
        '</ram:ApplicableHeaderTradeAgreement>',
        '<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>1</ram:IssuerAssignedID><ram:TypeCode>1</ram:TypeCode></ram:AdditionalReferencedDocument>',
      ),
      'xml-element',
      unknown,
    ],
    ['another calendar', changed('format="102">20261128', 'format="610">202611'), 'xml-element', unknown],
    ['a date without its format', changed(' format="102"', ''), 'xml-element', unknown],
    ['a tax number of another type', changed('schemeID="VA"', 'schemeID="XX"'), 'xml-element', unknown],
    [
      'an allowance that is neither',
      before(
        '<ram:SpecifiedTradePaymentTerms>',
        '<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>maybe</udt:Indicator></ram:ChargeIndicator></ram:SpecifiedTradeAllowanceCharge>',
      ),
      'xml-element',
      unknown,
    ],
    ['another tax', changed('>VAT<', '>GST<'), 'xml-element', 'has a missing or unsupported type'],
    [
      'a tax without its type',
      without(/<ram:TypeCode>VAT<\/ram:TypeCode>/),
      'xml-element',
      'has a missing or unsupported type',
    ],
    ['text between elements', before(SELLER, 'paid'), 'xml-element', 'Agreement may not contain this text'],
    [
      'CDATA between elements',
      before(SELLER, '<![CDATA[paid]]>'),
      'xml-element',
      'may not contain this text',
    ],
    [
      'an empty element',
      before(
        '</ram:ApplicableHeaderTradeAgreement>',
        '<ram:SellerOrderReferencedDocument><ram:IssuerAssignedID/></ram:SellerOrderReferencedDocument>',
      ),
      'xml-element',
      'SellerOrderReferencedDocument is empty',
    ],
    [
      'remittance information without payment instructions',
      withoutPayment,
      'xml-element',
      'PaymentReference (BT-83 remittance information) is accepted only with payment instructions (BG-16)',
    ],
    [
      'a creditor identifier without payment instructions',
      changed(
        '<ram:PaymentReference>',
        '<ram:CreditorReferenceID>C</ram:CreditorReferenceID>$&',
        withoutPayment,
      ),
      'xml-element',
      'CreditorReferenceID (BT-90 bank assigned creditor identifier) is accepted only with',
    ],
    [
      'a mandate without payment instructions',
      changed(
        '</ram:SpecifiedTradePaymentTerms>',
        '<ram:DirectDebitMandateID>M</ram:DirectDebitMandateID>$&',
        withoutPayment.replace(/<ram:PaymentReference>.*/, ''),
      ),
      'xml-element',
      'DirectDebitMandateID (BT-89 mandate reference identifier) is accepted only with',
    ],
    [
      'a project without a name',
      before(
        '</ram:ApplicableHeaderTradeAgreement>',
        '<ram:SpecifiedProcuringProject><ram:ID>1</ram:ID></ram:SpecifiedProcuringProject>',
      ),
      'xml-element',
      'SpecifiedProcuringProject has no ram:Name',
    ],
    [
      'an empty name of a project',
      before(
        '</ram:ApplicableHeaderTradeAgreement>',
        '<ram:SpecifiedProcuringProject><ram:ID>1</ram:ID><ram:Name/></ram:SpecifiedProcuringProject>',
      ),
      'xml-element',
      'SpecifiedProcuringProject/ram:Name is empty',
    ],
    [
      'a unit without its quantity',
      before('</ram:NetPriceProductTradePrice>', '<ram:BasisQuantity unitCode="HUR"/>'),
      'xml-element',
      'BasisQuantity is empty',
    ],
    ['an element with white space', first('LineOne', '\n\t '), 'xml-element', 'LineOne is empty'],
    [
      'an empty group',
      before('</ram:ApplicableHeaderTradeAgreement>', '<ram:SellerOrderReferencedDocument/>'),
      'xml-element',
      'is empty',
    ],
    [
      'a gross price without its amount',
      before(
        '<ram:NetPriceProductTradePrice>',
        '<ram:GrossPriceProductTradePrice><ram:BasisQuantity unitCode="HUR">1</ram:BasisQuantity></ram:GrossPriceProductTradePrice>',
      ),
      'xml-element',
      'GrossPriceProductTradePrice has no ram:ChargeAmount',
    ],
    [
      'an unknown attribute',
      changed('<ram:CityName>', '<ram:CityName languageID="de">'),
      'xml-element',
      'CityName has an unknown attribute, languageID',
    ],
    [
      'a currency that no rule reads',
      changed('<ram:DuePayableAmount>', '<ram:DuePayableAmount currencyID="USD">'),
      'xml-element',
      'unknown attribute, currencyID',
    ],
    [
      'an empty attribute',
      changed(/ unitCode="[^"]*"/, ' unitCode=" "'),
      'xml-element',
      'BilledQuantity has an empty attribute, unitCode',
    ],
    [
      'an attribute of a group',
      changed(SELLER, '<ram:SellerTradeParty id="1">'),
      'xml-element',
      'unknown attribute, id',
    ],
    [
      'an attribute of the root',
      changed('<rsm:CrossIndustryInvoice', '$& id="1"'),
      'xml-element',
      'unknown attribute, id',
    ],
    [
      'an attribute from another namespace',
      changed(SELLER, '<ram:SellerTradeParty xml:lang="de">'),
      'xml-element',
      'unknown attribute, xml:lang',
    ],
    [
      'another type for a schema',
      changed(
        SELLER,
        '<ram:SellerTradeParty xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="a">',
      ),
      'xml-element',
      'unknown attribute, xsi:type',
    ],
    [
      'elements in the wrong order',
      changed(/(<ram:ID>R-2026-0042<\/ram:ID>)\s*(<ram:TypeCode>380<\/ram:TypeCode>)/, '$2$1'),
      'xml-element',
      'ExchangedDocument contains elements in the wrong order',
    ],
    [
      'no delivery',
      without(/<ram:ApplicableHeaderTradeDelivery>[^]*<\/ram:ApplicableHeaderTradeDelivery>/),
      'xml-element',
      'ApplicableHeaderTradeDelivery is missing',
    ],
    [
      'only the root',
      changed(/(<rsm:CrossIndustryInvoice[^>]*>)[^]*(<\/rsm:CrossIndustryInvoice>)/, '$1$2'),
      'profile',
      'BT-24',
    ],
    [
      'no lines',
      without(/<ram:IncludedSupplyChainTradeLineItem>[^]*<\/ram:IncludedSupplyChainTradeLineItem>/),
      'BR-16',
      'line',
    ],
    [
      'two equal VAT dates',
      XML.replaceAll(
        /(<ram:CalculatedAmount>[^]*?<\/ram:CategoryCode>)/g,
        '$1<ram:TaxPointDate><udt:DateString format="102">20261128</udt:DateString></ram:TaxPointDate>',
      ),
      'xml-element',
      'BT-7 value added tax point date occurs more than once',
    ],
    ['no number', without(/<ram:ID>R-2026-0042<\/ram:ID>/), 'BR-02', 'number'],
    [
      'a department and another contact',
      before('<ram:TelephoneUniversalCommunication>', '<ram:DepartmentName>Sales</ram:DepartmentName>'),
      'xml-element',
      'BT-41',
    ],
    ...[
      'BuyerReference',
      'InvoiceCurrencyCode',
      'PaymentReference',
      'GrandTotalAmount',
      'TaxTotalAmount',
      'CityName',
      'IBANID',
      'BilledQuantity',
      'LineID',
      'Content',
    ].map((name): Case => [`two of ${name}`, twice(name), 'xml-element', `ram:${name} ${more}`]),
    [
      'two of TypeCode',
      changed(/<ram:TypeCode>VAT<\/ram:TypeCode>/, '$&<ram:TypeCode>GST</ram:TypeCode>'),
      'xml-element',
      more,
    ],
    ...[
      'rsm:ExchangedDocumentContext',
      'rsm:ExchangedDocument',
      'rsm:SupplyChainTradeTransaction',
      'ram:ApplicableHeaderTradeAgreement',
      'ram:ApplicableHeaderTradeDelivery',
      'ram:ApplicableHeaderTradeSettlement',
      'ram:SellerTradeParty',
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    ].map((name): Case => [`two of ${name}`, twiceAll(name), 'xml-element', `${name} ${more}`]),
    ...['NaN', '1e3', '+1', '.5', '1.', '1,5', '0x1', 'INF', '1'.repeat(19), '1 2', '&#160;1', '١'].map(
      (text): Case => [
        `the amount ${text}`,
        first('DuePayableAmount', text),
        'value-invalid',
        'BT-115 amount due for payment must be a decimal number',
      ],
    ),
    ...['20260230', '2026-11-28', '0', 'today', '20261128T00'].map((text): Case => [
      `the date ${text}`,
      changed('>20261228<', `>${text}<`),
      'value-invalid',
      'BT-9 payment due date must be a date',
    ]),
    ...['999', 'abc', '&amp;', '&lt;!DOCTYPE&gt;'].map((text): Case => [
      `the type ${text}`,
      changed('>380<', `>${text}<`),
      'BR-CL-01',
      'type',
    ]),
    ['the code that UBL has for the VAT date', withVatDate('3'), 'BR-CL-06', '3 in UNTDID 2475'],
    ['a long code', changed('>380<', `>${'3'.repeat(500_000)}<`), 'BR-CL-01', '333'],
  ]);
});

const malformed = 'the XML is not well-formed';
const MIB = 1024 * 1024;
const laughs = Array.from(
  { length: 10 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
).join('');

describe('XML that is not an invoice', () => {
  isRejected(
    (
      [
        ['nothing', '', malformed],
        ['white space', ' \n', malformed],
        ['text', 'invoice', malformed],
        ['JSON', '{"a":1}', malformed],
        ['a PDF', '%PDF-1.7', malformed],
        ['only a declaration', '<?xml version="1.0"?>', malformed],
        ['only a comment', '<!-- a -->', malformed],
        ['an open tag', '<a', malformed],
        ['an open element', '<a>', malformed],
        ['an end tag', '</a>', malformed],
        ['crossed elements', '<a><b></a></b>', malformed],
        ['two roots', '<a/><b/>', malformed],
        ['text after the root', '<a/>b', malformed],
        ['an unfinished invoice', XML.slice(0, -10), malformed],
        ['text after an invoice', `${XML}paid`, malformed],
        ['two invoices', XML + XML.replace(/^.*\n/, ''), malformed],
        ['an unknown entity', '<a>&b;</a>', malformed],
        ['an HTML entity', '<a>&nbsp;</a>', malformed],
        ['a bare ampersand', '<a>b & c</a>', malformed],
        ['an unfinished reference', '<a>&#x41</a>', malformed],
        ['a reference to no character', '<a>&#0;</a>', malformed],
        ['a reference to a control character', '<a>&#1;</a>', malformed],
        ['a reference to half of a surrogate pair', '<a>&#xD800;</a>', malformed],
        ['a reference beyond Unicode', '<a>&#x110000;</a>', malformed],
        ['a huge reference', `<a>&#${'9'.repeat(100_000)};</a>`, malformed],
        ['a control character', '<a>\u0001</a>', malformed],
        ['a NUL', '<a>\0</a>', malformed],
        ['a control character in a comment', '<a><!-- \u0001 --></a>', malformed],
        ['a control character in an attribute', '<a b="\u0001"/>', malformed],
        ['half of a surrogate pair', '<a>\ud800</a>', malformed],
        ['not a character', '<a>\uffff</a>', malformed],
        ['an attribute twice', '<a b="1" b="2"/>', malformed],
        ['an attribute without quotes', '<a b=1/>', malformed],
        ['an attribute without a value', '<a b/>', malformed],
        ['a tag in an attribute', '<a b="<"/>', malformed],
        ['an unfinished attribute', '<a b="', malformed],
        ['an unknown prefix', '<x:a/>', malformed],
        ['an unknown prefix of an attribute', '<a x:b="1"/>', malformed],
        ['two prefixes for one attribute', '<a xmlns:x="u" xmlns:y="u" x:b="1" y:b="2"/>', malformed],
        ['a prefix without a namespace', '<x:a xmlns:x=""/>', malformed],
        ['another namespace for xml', '<a xmlns:xml="u"/>', malformed],
        ['an invalid name', '<1/>', malformed],
        ['an unfinished comment', '<a><!-- ', malformed],
        ['dashes in a comment', '<a><!-- -- --></a>', malformed],
        ['an unfinished CDATA section', '<a><![CDATA[b', malformed],
        ['the end of a CDATA section', '<a>]]></a>', malformed],
        ['CDATA outside the root', '<![CDATA[a]]><b/>', malformed],
        ['an unfinished instruction', '<?a', malformed],
        ['a late declaration', ' <?xml version="1.0"?><a/>', malformed],
        ['a declaration in the root', '<a><?xml version="1.0"?></a>', malformed],
        ['a second byte order mark', '\uFEFF\uFEFF<a/>', malformed],
        ['XML 1.1', '<?xml version="1.1"?><a>&#1;</a>', 'the XML version must be 1.0'],
        ['ISO-8859-1', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>', 'the encoding must be UTF-8'],
        ['UTF-16', '<?xml version="1.0" encoding="UTF-16"?><a/>', 'the encoding must be UTF-8'],
        ['UTF-7', "<?xml version='1.0' encoding='UTF-7'?><a/>", 'the encoding must be UTF-8'],
        ['UTF-16 bytes', '<\0a\0/\0>\0', malformed],
        ['a document type', '<!DOCTYPE a><a/>', 'DOCTYPE'],
        ['a document type from a file', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'DOCTYPE'],
        ['a document type from a URL', '<!DOCTYPE a PUBLIC "a" "http://127.0.0.1/"><a/>', 'DOCTYPE'],
        ['an entity', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'DOCTYPE'],
        ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'DOCTYPE'],
        ['a parameter entity', '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/"> %b;]><a/>', 'DOCTYPE'],
        ['an entity that contains itself', '<!DOCTYPE a [<!ENTITY b "&b;">]><a>&b;</a>', 'DOCTYPE'],
        ['a billion laughs', `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]><a>&l10;</a>`, 'DOCTYPE'],
        [
          'a quadratic explosion',
          `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(50_000)}">]><a>${'&b;'.repeat(50_000)}</a>`,
          'DOCTYPE',
        ],
        ['a document type in lower case', '<!doctype a><a/>', malformed],
        ['an unfinished document type', `<!DOCTYPE a [${'<!-- '.repeat(50_000)}`, malformed],
        ['another root', '<a/>', 'is not a CrossIndustryInvoice'],
        ['HTML', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'is not a CrossIndustryInvoice'],
        [
          'UBL',
          '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>',
          'is not a CrossIndustryInvoice',
        ],
        ['a root without its namespace', '<CrossIndustryInvoice/>', 'is not a CrossIndustryInvoice'],
        [
          'ZUGFeRD 1',
          '<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"/>',
          'is not a CrossIndustryInvoice',
        ],
        ['deep elements', '<a>'.repeat(33), 'more than 32 levels of elements'],
        ['very deep elements', '<a>'.repeat(75_000), 'more than 32 levels of elements'],
        ['many elements', `<a>${'<b/>'.repeat(60_000)}</a>`, 'more than 50000 elements'],
        [
          'many attributes',
          `<a ${Array.from({ length: 20_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
          'is not a CrossIndustryInvoice',
        ],
        [
          'many namespaces',
          `<a ${Array.from({ length: 15_000 }, (_, index) => `xmlns:a${index}="u"`).join(' ')}/>`,
          'is not a CrossIndustryInvoice',
        ],
        ['a long name', `<${'a'.repeat(250_000)}/>`, 'is not a CrossIndustryInvoice'],
        ['a long attribute', `<a b="${'c'.repeat(250_000)}"/>`, 'is not a CrossIndustryInvoice'],
        ['a long comment', `<!--${' +'.repeat(100_000)}--><a/>`, 'is not a CrossIndustryInvoice'],
        ['many comments', `${'<!---->'.repeat(35_000)}<a/>`, 'is not a CrossIndustryInvoice'],
        ['many instructions', `${'<?a?>'.repeat(50_000)}<a/>`, 'is not a CrossIndustryInvoice'],
        ['many CDATA sections', `<a>${'<![CDATA[]]>'.repeat(20_000)}</a>`, 'is not a CrossIndustryInvoice'],
        ['many references', `<a>${'&#65;'.repeat(50_000)}</a>`, 'is not a CrossIndustryInvoice'],
        ['many brackets', '<'.repeat(250_000), malformed],
        ['many ampersands', `<a>${'&'.repeat(250_000)}`, malformed],
        ['more than 1 MiB', 'x'.repeat(MIB + 1), 'larger than 1 MiB'],
        ['more than 1 MiB in UTF-8', 'ß'.repeat(MIB / 2 + 1), 'larger than 1 MiB'],
      ] as const
    ).map(([what, xml, message]) => [what, xml, 'xml-invalid', message] as const),
  );

  const filled = (open: string, one: string, close: string) => {
    const count = Math.floor((MIB - XML.length - 1000) / one.length);
    return before(SELLER, open + one.repeat(Math.min(count, 49_000)) + close);
  };
  isRejected([
    ['1 MiB of unknown siblings', filled('', '<ram:Color>red</ram:Color>', ''), 'xml-element', unknown],
    [
      '1 MiB of equal siblings',
      filled('', '<ram:BuyerReference>1</ram:BuyerReference>', ''),
      'xml-element',
      more,
    ],
    ['1 MiB of parties', filled('', '<ram:SellerTradeParty/>', ''), 'xml-element', 'is empty'],
    [
      '1 MiB of notes in a line',
      changed('</ram:LineID>', `</ram:LineID>${'<ram:IncludedNote/>'.repeat(40_000)}`),
      'xml-element',
      'is empty',
    ],
    [
      '1 MiB of object identifiers',
      before(
        '</ram:ApplicableHeaderTradeAgreement>',
        `<ram:AdditionalReferencedDocument>${'<ram:IssuerAssignedID>1</ram:IssuerAssignedID>'.repeat(20_000)}<ram:TypeCode>130</ram:TypeCode></ram:AdditionalReferencedDocument>`,
      ),
      'xml-element',
      more,
    ],
    [
      '1 MiB of deliveries',
      before('<ram:ApplicableHeaderTradeDelivery>', '<ram:ApplicableHeaderTradeDelivery/>'.repeat(25_000)),
      'xml-element',
      more,
    ],
    [
      '1 MiB of settlements',
      before(
        '<ram:ApplicableHeaderTradeSettlement>',
        '<ram:ApplicableHeaderTradeSettlement/>'.repeat(25_000),
      ),
      'xml-element',
      'is empty',
    ],
    [
      '1 MiB of payment means',
      before(
        '<ram:ApplicableTradeTax>\n        <ram:Calc',
        '<ram:SpecifiedTradeSettlementPaymentMeans/>'.repeat(20_000),
      ),
      'xml-element',
      'is empty',
    ],
    [
      '1 MiB of taxes',
      before(
        '<ram:SpecifiedTradePaymentTerms>',
        '<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode></ram:ApplicableTradeTax>'.repeat(12_000),
      ),
      'xml-element',
      'is empty',
    ],
    [
      '1 MiB of currencies',
      before(
        '<ram:InvoiceCurrencyCode>',
        '<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>'.repeat(18_000),
      ),
      'xml-element',
      more,
    ],
    [
      '1 MiB of totals',
      before(
        '<ram:GrandTotalAmount>',
        '<ram:TaxTotalAmount currencyID="EUR">1</ram:TaxTotalAmount>'.repeat(15_000),
      ),
      'xml-element',
      more,
    ],
  ]);
});
