import type { EInvoiceProfile } from './e-invoice-spec.ts';

/** How a PDF contains an e-invoice and describes it in its metadata (Factur-X 1.0, ZUGFeRD 2.3, chapter 6). */
export interface EmbeddedFile {
  readonly filename: 'factur-x.xml' | 'xrechnung.xml';
  readonly relationship: 'alternative' | 'data' | 'source';
  readonly xmpConformanceLevel: 'BASIC' | 'EN 16931' | 'XRECHNUNG';
  /** Version of the standard that the XML follows. */
  readonly xmpVersion: string;
}

/** Namespace of the metadata. */
export const FACTUR_X_NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** Returns how a PDF contains an e-invoice. */
export function embeddedFile(profile: EInvoiceProfile): EmbeddedFile {
  const relationship = 'alternative';
  if (profile === 'xrechnung') {
    const filename = 'xrechnung.xml';
    return { filename, relationship, xmpConformanceLevel: 'XRECHNUNG', xmpVersion: '3.0' };
  }
  const xmpConformanceLevel = profile === 'basic' ? 'BASIC' : 'EN 16931';
  return { filename: 'factur-x.xml', relationship, xmpConformanceLevel, xmpVersion: '1.0' };
}
