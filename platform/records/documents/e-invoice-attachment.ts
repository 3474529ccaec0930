import type { EInvoiceProfile } from '@trifold/crds';
import { embeddedInvoice } from '../../e-invoices/embedded-file.ts';
import type { CreatedEInvoice } from '../../templating/checking/created-e-invoices.ts';
import type { Attachment } from './attachments.ts';

/** Name of an e-invoice that is never in a PDF. */
const FILENAME = 'invoice.xml';

/** Returns a document's e-invoice as an attachment: as a file in a PDF, or as the document itself. */
export function eInvoiceAttachment(profile: EInvoiceProfile, { xml, declared }: CreatedEInvoice): Attachment {
  return {
    filename: embeddedInvoice(profile)?.filename ?? FILENAME,
    mimeType: 'text/xml',
    relationship: 'alternative',
    eInvoice: profile,
    ...(declared && { declared }),
    bytes: Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength),
  };
}
