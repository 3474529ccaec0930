import type { EInvoiceSpec, InvoiceProblem, MappingProblem } from './e-invoice-spec.ts';

export type { EInvoiceSpec, InvoiceProblem, MappingProblem } from './e-invoice-spec.ts';

/** The XML of an invoice, or the reasons why there is none. */
export type EInvoiceResult = { readonly xml: string } | { readonly problems: readonly InvoiceProblem[] };

export interface EInvoiceContext {
  /** Whether the invoice carries the note `TEST` (BT-22): for test keys and previews. */
  readonly test: boolean;
  /** Locale of the helpers, such as `de-DE`. */
  readonly locale?: string;
}

/** Returns the mistakes in a template's `e_invoice` that would fail every document. */
export function eInvoiceProblems(_spec: EInvoiceSpec): readonly MappingProblem[] {
  return [];
}

/** Creates the XML of a document from its data. The spec has no mistakes (`eInvoiceProblems`). */
export function createEInvoice(
  _spec: EInvoiceSpec,
  _data: unknown,
  _context: EInvoiceContext,
): EInvoiceResult {
  return { problems: [{ rule: 'not-implemented', message: 'E-invoices are not implemented.' }] };
}

/** Checks an invoice that the caller wrote, in CII. Its bytes are embedded unchanged. */
export function checkOwnEInvoice(
  _spec: Pick<EInvoiceSpec, 'profile'>,
  _xml: string,
): readonly InvoiceProblem[] {
  return [];
}
