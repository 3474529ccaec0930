/** Profiles that Trifold can write and check. */
export type EInvoiceProfile = 'basic' | 'en16931' | 'xrechnung' | 'peppol-bis-3';

/** XML syntaxes of EN 16931: UN/CEFACT Cross Industry Invoice, and OASIS UBL 2.1. */
export type EInvoiceSyntax = 'cii' | 'ubl';

/** The `e_invoice` of a template. */
export interface EInvoiceSpec {
  /** `factur-x`: a PDF/A-3 with embedded XML, also called ZUGFeRD; `xml`: only the XML. */
  readonly format: 'factur-x' | 'xml';
  readonly profile: EInvoiceProfile;
  readonly syntax: EInvoiceSyntax;
  /** Business terms of EN 16931, with bindings as values. */
  readonly mapping: Readonly<Record<string, unknown>>;
}

/** A rule that a document's data breaks. */
export interface InvoiceProblem {
  /** Name of an official rule, such as `BR-02`, or of a Trifold rule, such as `term-missing`. */
  readonly rule: string;
  /** JSON Pointer into the data of the request, such as `/lines/3/qty`, if the term is bound to one field. */
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
