import type { Invoice, InvoiceValue } from '../invoice.ts';
import type { Group, Term } from '../terms/term.ts';
import { finish } from '../xml/finish.ts';
import { toXml, xmlElement } from '../xml/xml-element.ts';
import type { Prefix } from '../xml/xml-path.ts';
import { ciiText } from './cii-codes.ts';
import { CII_SEQUENCES } from './cii-sequences.ts';
import { oneAccountEach } from './one-account-each.ts';
import { writeGroups } from './write-groups.ts';

const UNECE = 'urn:un:unece:uncefact:data:standard:';

const NAMESPACES = {
  rsm: `${UNECE}CrossIndustryInvoice:100`,
  ram: `${UNECE}ReusableAggregateBusinessInformationEntity:100`,
  udt: `${UNECE}UnqualifiedDataType:100`,
  qdt: `${UNECE}QualifiedDataType:100`,
} as const;

const ciiPrefix: Prefix = (name) => `ram:${name}`;

/** Writes an invoice as a Cross Industry Invoice (UN/CEFACT, D16B). */
export function writeCii(invoice: Invoice): string {
  const root = xmlElement('rsm:CrossIndustryInvoice');
  for (const [prefix, uri] of Object.entries(NAMESPACES)) root.attributes.set(`xmlns:${prefix}`, uri);
  writeGroups(root, oneAccountEach(invoice), {
    syntax: 'cii',
    prefix: ciiPrefix,
    otherPath: ciiPath,
    text: ciiText,
  });
  const [transaction] = root.children.filter(({ name }) => name === 'rsm:SupplyChainTradeTransaction');
  if (transaction && !transaction.children.some(({ name }) => name === DELIVERY)) {
    transaction.children.push(xmlElement(DELIVERY, transaction));
  }
  finish(root, CII_SEQUENCES, [DELIVERY]);
  return toXml(root);
}

function ciiPath(declared: Term | Group, value?: InvoiceValue): string | undefined {
  const other = 'otherCii' in declared ? declared.otherCii : undefined;
  return value !== undefined && other?.isFor(value) === true ? other.path : undefined;
}

/** Required even if the invoice says nothing about delivery. */
const DELIVERY = 'ram:ApplicableHeaderTradeDelivery';
