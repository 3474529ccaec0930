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

describe('An invoice in CII that a caller wrote', () => {
  it.each<[what: string, xml: string]>([
    ['as Trifold writes it', XML],
    ['a byte order mark', `\uFEFF${XML}`],
    ['no XML declaration', without(/^<\?xml.*\?>\n/)],
    ['a declaration without encoding', changed(' encoding="UTF-8"', '')],
    ['a declaration in lower case', changed('UTF-8', 'utf-8')],
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

  it('may not have a term that its profile does not have', () => {
    const basic = changed(SELLER, `${SELLER}`, plainXml('basic')).replace(
      /(<ram:SellerTradeParty>[^]*?<\/ram:Name>)/,
      '$1<ram:Description>AG</ram:Description>',
    );
    expect(problems(basic, 'basic')[0]).toMatchObject({
      rule: 'profile',
      message: 'BT-33 seller additional legal information is not in the profile basic.',
    });
  });
});
