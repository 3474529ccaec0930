import { Type, type Static } from 'typebox';
import { MAX_E_INVOICE_BYTES } from '../limits.ts';
import type { ConformanceLevel } from './render-options.ts';
import type { DocumentFormat } from './document-format.ts';
import { AnyJsonObject, StringEnum } from './schema.ts';

/** Where the XML is: in a PDF (Factur-X, ZUGFeRD), or only in a separate file. */
const E_INVOICE_FORMATS = ['factur-x', 'xml'] as const;
/** Rule sets that an invoice can follow. */
const E_INVOICE_PROFILES = ['basic', 'en16931', 'xrechnung', 'peppol-bis-3'] as const;
/** UN/CEFACT Cross Industry Invoice, or OASIS UBL. */
const E_INVOICE_SYNTAXES = ['cii', 'ubl'] as const;

export type EInvoiceProfile = (typeof E_INVOICE_PROFILES)[number];

/** Fields of a template's e-invoice. */
export const EInvoice = Type.Object(
  {
    format: StringEnum(E_INVOICE_FORMATS, {
      description:
        'Where the XML goes. factur-x: inside PDF documents (Factur-X, ZUGFeRD), which become PDF/A-3. xml: only in documents with the format xml.',
    }),
    profile: StringEnum(E_INVOICE_PROFILES, {
      description: 'Rules that the invoice must follow.',
    }),
    syntax: StringEnum(E_INVOICE_SYNTAXES, {
      description: 'Syntax of the XML. cii: UN/CEFACT Cross Industry Invoice. ubl: OASIS UBL 2.1.',
    }),
    mapping: AnyJsonObject({
      description: `Content of the invoice: an object with EN 16931 business terms as keys, such as \`BT-1 invoice number\`, and strings with {{bindings}} as values. Up to ${MAX_E_INVOICE_BYTES / 1024} KiB as JSON.`,
    }),
    // No default, so a revision from before this field existed keeps its address.
    compare: Type.Optional(
      Type.Boolean({
        description:
          "Whether PDF documents get the warning `invoice_differs` if their pages do not show the XML's invoice number, date, VAT total or amount due. If absent, they do.",
      }),
    ),
  },
  {
    description: 'E-invoice created from the same data as the document.',
  },
);
export type EInvoice = Static<typeof EInvoice>;

/** Conformance level of a PDF that contains an e-invoice, unless another PDF/A-3 level is requested. */
export const FACTUR_X_CONFORMANCE = 'a-3b';

/** Whether a document from the template contains an e-invoice. */
export function hasEInvoice(eInvoice: Pick<EInvoice, 'format'> | undefined, format: DocumentFormat): boolean {
  if (!eInvoice) return false;
  return format === 'xml' || (format === 'pdf' && eInvoice.format === 'factur-x');
}

/** Returns why a PDF with this level cannot contain the e-invoice; undefined if it can, or if there is none. */
export function findConformanceProblem(
  eInvoice: Pick<EInvoice, 'format'> | undefined,
  level: ConformanceLevel | undefined,
): string | undefined {
  if (eInvoice?.format !== 'factur-x' || level === undefined || level.startsWith('a-3')) return undefined;
  return `is ${level}, but Factur-X requires PDF/A-3: use a level that begins with a-3`;
}
