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

export const CII_NAMESPACES = {
  rsm: `${UNECE}CrossIndustryInvoice:100`,
  ram: `${UNECE}ReusableAggregateBusinessInformationEntity:100`,
  udt: `${UNECE}UnqualifiedDataType:100`,
  qdt: `${UNECE}QualifiedDataType:100`,
} as const;

export const CII_ROOT = 'rsm:CrossIndustryInvoice';

export const ciiPrefix: Prefix = (name) => `ram:${name}`;

/** Writes an invoice as a Cross Industry Invoice (UN/CEFACT, D16B). */
export function writeCii(invoice: Invoice): string {
  const root = xmlElement(CII_ROOT);
  for (const [prefix, uri] of Object.entries(CII_NAMESPACES)) root.attributes.set(`xmlns:${prefix}`, uri);
  writeGroups(root, oneAccountEach(invoice), {
    syntax: 'cii',
    prefix: ciiPrefix,
    otherPath: ciiPath,
    text: ciiText,
  });
  const [transaction] = root.children.filter(({ name }) => name === 'rsm:SupplyChainTradeTransaction');
  if (transaction && !transaction.children.some(({ name }) => name === CII_DELIVERY)) {
    transaction.children.push(xmlElement(CII_DELIVERY, transaction));
  }
  finish(root, CII_SEQUENCES, [CII_DELIVERY]);
  return toXml(root);
}

function ciiPath(declared: Term | Group, value?: InvoiceValue): string | undefined {
  const other = 'otherCii' in declared ? declared.otherCii : undefined;
  return value !== undefined && other?.isFor(value) === true ? other.path : undefined;
}

/** Required even if the invoice says nothing about delivery. */
export const CII_DELIVERY = 'ram:ApplicableHeaderTradeDelivery';
