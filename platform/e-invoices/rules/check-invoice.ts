import type { EInvoiceSpec, InvoiceProblem } from '../e-invoice-spec.ts';
import type { Invoice } from '../invoice.ts';

/** Returns the rules of EN 16931 and of the profile that an invoice breaks. */
export function checkInvoice(
  _invoice: Invoice,
  _spec: Pick<EInvoiceSpec, 'profile' | 'syntax'>,
): readonly InvoiceProblem[] {
  return [];
}
