import type { EInvoiceProfile } from './e-invoice-spec.ts';

/** How a PDF/A-3 embeds the XML and declares it in its XMP metadata. */
export interface EmbeddedInvoice {
  readonly filename: 'factur-x.xml' | 'xrechnung.xml';
  /** The file's `AFRelationship`. */
  readonly relationship: 'alternative';
  readonly xmp: {
    readonly namespace: string;
    readonly prefix: 'fx';
    readonly documentType: 'INVOICE';
    readonly version: string;
    readonly conformanceLevel: string;
  };
}

const FACTUR_X = {
  namespace: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
  prefix: 'fx',
  documentType: 'INVOICE',
} as const;

/** File names that a caller may not use for an attachment in a document with an e-invoice. */
export const E_INVOICE_FILENAMES: readonly string[] = ['factur-x.xml', 'xrechnung.xml'];

/** By profile, as in Factur-X 1.08 and ZUGFeRD 2.4. Peppol has no PDF. */
const EMBEDDED: Readonly<Record<Exclude<EInvoiceProfile, 'peppol-bis-3'>, EmbeddedInvoice>> = {
  basic: facturX('BASIC'),
  en16931: facturX('EN 16931'),
  xrechnung: {
    filename: 'xrechnung.xml',
    relationship: 'alternative',
    xmp: { ...FACTUR_X, version: '3.0', conformanceLevel: 'XRECHNUNG' },
  },
};

function facturX(conformanceLevel: string): EmbeddedInvoice {
  return {
    filename: 'factur-x.xml',
    relationship: 'alternative',
    xmp: { ...FACTUR_X, version: '1.0', conformanceLevel },
  };
}

/** Throws for `peppol-bis-3`, which `eInvoiceProblems` rejects for `factur-x`. */
export function embeddedInvoice(profile: EInvoiceProfile): EmbeddedInvoice {
  if (profile === 'peppol-bis-3') throw new Error('Peppol invoices are not embedded in a PDF');
  return EMBEDDED[profile];
}
