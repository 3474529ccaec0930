import type { EInvoiceProfile } from '@trifold/crds';
import { embeddedFile } from '../../e-invoices/embedded-file.ts';
import type { Attachment } from './attachments.ts';

/** Returns the e-invoice of a document as an attachment: as a file in a PDF, or as the document itself. */
export function eInvoiceAttachment(profile: EInvoiceProfile, xml: Buffer): Attachment {
  const { filename, relationship } = embeddedFile(profile);
  return { filename, mimeType: 'text/xml', relationship, eInvoice: profile, bytes: xml };
}
