import { valueOf, type Invoice } from '../invoice.ts';
import type { Term } from '../terms/term.ts';
import { finish } from '../xml/finish.ts';
import { toXml, xmlElement, type XmlElement } from '../xml/xml-element.ts';
import type { Lookup, Prefix } from '../xml/xml-path.ts';
import { oneAccountEach } from './one-account-each.ts';
import { UBL_SEQUENCES } from './ubl-sequences.ts';
import { withUblValues } from './ubl-values.ts';
import { writeGroups } from './write-groups.ts';

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** Invoice types that UBL writes as a CreditNote. */
const CREDIT_NOTES: readonly string[] = '81 83 261 262 296 308 381 396 420 458 502 503 532'.split(' ');

export function isUblCreditNote(invoice: Invoice): boolean {
  return CREDIT_NOTES.includes(valueOf(invoice, 'BT-3')?.value ?? '');
}

/** Paths that differ between a CreditNote and an Invoice. */
const CREDIT_NOTE_PATHS: Readonly<Record<string, string>> = {
  'BT-3': 'CreditNoteTypeCode',
  'BT-9': 'PaymentMeans+/PaymentDueDate',
  'BT-11': 'AdditionalDocumentReference[DocumentTypeCode=50]/ID',
  'BG-25': 'CreditNoteLine*',
  'BT-129': 'CreditedQuantity',
  'BT-130': 'CreditedQuantity/@unitCode',
};

/** Values are in the namespace `cbc`, and elements with children in `cac`. */
const ublPrefix: Prefix = (name, isLast) => `${isLast ? 'cbc' : 'cac'}:${name}`;

/** Writes an invoice as a UBL 2.1 Invoice or CreditNote. */
export function writeUbl(invoice: Invoice): string {
  const isCreditNote = isUblCreditNote(invoice);
  const name = isCreditNote ? 'CreditNote' : 'Invoice';
  const root = xmlElement(name);
  root.attributes.set('xmlns', `${OASIS}${name}-2`);
  root.attributes.set('xmlns:cac', `${OASIS}CommonAggregateComponents-2`);
  root.attributes.set('xmlns:cbc', `${OASIS}CommonBasicComponents-2`);
  writeGroups(root, oneAccountEach(withUblValues(invoice)), {
    syntax: 'ubl',
    prefix: ublPrefix,
    otherPath: ({ id }) => (isCreditNote ? CREDIT_NOTE_PATHS[id] : undefined),
    text: (_term, value) => value,
    complete: addCurrency,
  });
  finish(root, UBL_SEQUENCES, []);
  return toXml(root);
}

function addCurrency(element: XmlElement, { id, type }: Term, lookup: Lookup): void {
  if (type !== 'amount' && type !== 'unit-price') return;
  element.attributes.set('currencyID', lookup(id === 'BT-111' ? 'BT-6' : 'BT-5'));
}
