import { valueOf, groupOf, type Invoice } from './invoice.ts';

/** Terms that an invoice's page must show, and the currency of the amounts. */
const DECLARED = ['BT-1', 'BT-2', 'BT-5'] as const;
const DECLARED_TOTALS = ['BT-110', 'BT-115'] as const;
type DeclaredTerm = (typeof DECLARED)[number] | (typeof DECLARED_TOTALS)[number];

/** The values of an invoice that its page must show, as in the XML: ISO 8601 dates and plain decimal amounts. */
export type DeclaredInvoice = Readonly<Partial<Record<DeclaredTerm, string>>>;

export function declaredInvoice(invoice: Invoice): DeclaredInvoice {
  const totals = groupOf(invoice, 'BG-22');
  return Object.fromEntries([
    ...DECLARED.map((term) => [term, valueOf(invoice, term)?.value]),
    ...DECLARED_TOTALS.map((term) => [term, totals && valueOf(totals, term)?.value]),
  ]) as DeclaredInvoice;
}
