import type { EInvoice } from '@trifold/crds';

/** A template's `e_invoice`. */
export type EInvoiceSpec = Readonly<EInvoice>;
export type EInvoiceProfile = EInvoice['profile'];
export type EInvoiceSyntax = EInvoice['syntax'];

/** A rule that a document's data breaks. */
export interface InvoiceProblem {
  /** Name of an official rule, such as `BR-02`, or of a Trifold rule, such as `term-missing`. */
  readonly rule: string;
  /** JSON Pointer into the request's data, such as `/lines/3/qty`, if the term is bound to one field. */
  readonly path?: string;
  /** Number and name, such as `BT-1 invoice number`. */
  readonly term?: string;
  readonly message: string;
}

/** A mistake in a template's `e_invoice`, found when the template is saved. */
export interface MappingProblem {
  /** JSON Pointer into `e_invoice`, such as `/mapping/BT-1 invoice number`. */
  readonly path: string;
  readonly message: string;
  /** Position in `JSON.stringify(mapping, null, 2)`, counted from 1; 1 and 1 for a problem outside of the mapping. */
  readonly line: number;
  readonly column: number;
}
