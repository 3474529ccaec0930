import { MAX_DECLARED_LENGTH } from './e-invoice-limits.ts';
import { valueOf, groupOf, type Invoice, type InvoiceGroup } from './invoice.ts';

/** Terms that an invoice's page must show, and the currency of the amounts. */
const DECLARED = ['BT-1', 'BT-2', 'BT-5'] as const;
const DECLARED_TOTALS = ['BT-110', 'BT-115'] as const;
type DeclaredTerm = (typeof DECLARED)[number] | (typeof DECLARED_TOTALS)[number];

/** The values of an invoice that its page must show, as in the XML: ISO 8601 dates and plain decimal amounts. */
export type DeclaredInvoice = Readonly<Partial<Record<DeclaredTerm, string>>>;

/** Omits values that are too long to be searched for. */
export function declaredInvoice(invoice: Invoice): DeclaredInvoice {
  const totals = groupOf(invoice, 'BG-22');
  return Object.fromEntries([
    ...DECLARED.map((term) => [term, searchable(invoice, term)]),
    ...DECLARED_TOTALS.map((term) => [term, totals && searchable(totals, term)]),
  ]) as DeclaredInvoice;
}

function searchable(group: InvoiceGroup, term: DeclaredTerm): string | undefined {
  const { value = '' } = valueOf(group, term) ?? {};
  return value === '' || value.length > MAX_DECLARED_LENGTH ? undefined : value;
}
