import type { EInvoice, EInvoiceProfile } from '@trifold/crds';
import { checkSuppliedEInvoice } from '../../e-invoices/reading/read-e-invoice.ts';
import type { EInvoiceProblem } from './created-e-invoices.ts';

/** A CII e-invoice that a caller wrote, for one document. */
export interface SuppliedEInvoice {
  readonly profile: EInvoiceProfile;
  /** Where the document contains it: the schemas differ. */
  readonly format: EInvoice['format'];
  /** UTF-8. */
  readonly xml: Uint8Array;
  /** JSON Pointer to the XML in the request. */
  readonly pointer: string;
}

/** At least one problem, unless the e-invoice is valid. */
export type SuppliedEInvoiceReply =
  | { readonly status: 'valid' }
  | { readonly status: 'invoice_invalid'; readonly problems: readonly EInvoiceProblem[] };

/** Checks an e-invoice in a check process. */
export function checkSupplied({ profile, format, xml, pointer }: SuppliedEInvoice): SuppliedEInvoiceReply {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString();
  const problems = checkSuppliedEInvoice(text, profile, format);
  if (problems.length === 0) return { status: 'valid' };
  return { status: 'invoice_invalid', problems: problems.map((problem) => ({ ...problem, path: pointer })) };
}
