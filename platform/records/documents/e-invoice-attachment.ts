import type { EInvoiceProfile } from '@trifold/crds';
import { embeddedInvoice } from '../../e-invoices/embedded-file.ts';
import type { Attachment } from './attachments.ts';

/** Name of an e-invoice that is never in a PDF. */
const FILENAME = 'invoice.xml';

/** Returns a document's e-invoice as an attachment: as a file in a PDF, or as the document itself. */
export function eInvoiceAttachment(profile: EInvoiceProfile, xml: Buffer): Attachment {
  const filename = embeddedInvoice(profile)?.filename ?? FILENAME;
  return { filename, mimeType: 'text/xml', relationship: 'alternative', eInvoice: profile, bytes: xml };
}
