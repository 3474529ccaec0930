import type { EInvoiceProfile } from './e-invoice-spec.ts';

/** How a PDF/A-3 file embeds the XML and declares it in its XMP metadata. */
interface EmbeddedInvoice {
  readonly filename: string;
  readonly version: string;
  readonly conformanceLevel: string;
}

/** As in Factur-X 1.08 and ZUGFeRD 2.4. Peppol does not use PDF. */
const EMBEDDED: Readonly<Partial<Record<EInvoiceProfile, EmbeddedInvoice>>> = {
  basic: { filename: 'factur-x.xml', version: '1.0', conformanceLevel: 'BASIC' },
  en16931: { filename: 'factur-x.xml', version: '1.0', conformanceLevel: 'EN 16931' },
  xrechnung: { filename: 'xrechnung.xml', version: '3.0', conformanceLevel: 'XRECHNUNG' },
};

/** File names that a caller may not use for an attachment in a document with an e-invoice. */
export const E_INVOICE_FILENAMES: readonly string[] = Object.values(EMBEDDED).map(({ filename }) => filename);

/** Returns undefined for `peppol-bis-3`, which `eInvoiceProblems` rejects for `factur-x`. */
export function embeddedInvoice(profile: EInvoiceProfile): EmbeddedInvoice | undefined {
  return EMBEDDED[profile];
}
