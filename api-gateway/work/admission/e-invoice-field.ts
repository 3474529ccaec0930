import type { DocumentFormat } from '@trifold/crds';
import {
  E_INVOICE_XML_BYTES,
  E_INVOICE_XML_TOO_LARGE,
} from '@trifold/platform/e-invoices/e-invoice-limits.ts';
import { CII_PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { yieldForLarge } from '@trifold/platform/request-body/yield-for-large.ts';
import type { SuppliedEInvoice } from '@trifold/platform/templating/checking/supplied-e-invoice.ts';
import { Type, type Static } from 'typebox';
import { invoiceInvalid } from '../../templates/data-check.ts';
import { ApiError } from '../../server/errors/api-error.ts';

const MAX_MIB = E_INVOICE_XML_BYTES / 1024 / 1024;
const PROFILES = CII_PROFILES.join(', ');
const POINTER = '/e_invoice/xml';

/** The `e_invoice` field of a request. */
export const RequestEInvoice = Type.Object(
  {
    // Not an enum: the response for another profile is 422, as for other invoices that cannot be checked.
    profile: Type.String({
      maxLength: 100,
      description: `Rules that the invoice must follow. One of: ${CII_PROFILES.map((name) => `\`${name}\``).join(', ')}. The invoice's specification identifier (BT-24) must match the profile.`,
    }),
    xml: Type.String({
      minLength: 1,
      description: `The invoice as a UN/CEFACT Cross Industry Invoice (CII, D16B) in UTF-8. Up to ${MAX_MIB} MiB, without a DOCTYPE. The document contains exactly these bytes.`,
    }),
  },
  {
    additionalProperties: false,
    title: 'RequestEInvoice',
    description:
      "Your own e-invoice, for the format pdf or xml. It is checked like one that Trifold creates, and it replaces the template's `e_invoice` for this document.",
  },
);
type RequestEInvoice = Static<typeof RequestEInvoice>;

/**
 * Returns a request's e-invoice, not yet checked. Rejects with ApiError `invalid_request` if the format cannot
 * contain it, or `invoice_invalid`.
 */
export async function readRequestEInvoice(
  eInvoice: RequestEInvoice | undefined,
  format: DocumentFormat,
): Promise<SuppliedEInvoice | undefined> {
  if (!eInvoice) return undefined;
  if (format !== 'pdf' && format !== 'xml') {
    const detail = {
      path: '/e_invoice',
      message: `is allowed only with format pdf or xml, not with ${format}`,
    };
    throw new ApiError('invalid_request', `${detail.path} ${detail.message}.`, { details: [detail] });
  }
  const { xml } = eInvoice;
  const profile = CII_PROFILES.find((name) => name === eInvoice.profile);
  if (!profile) {
    const message = `Trifold cannot check this profile in CII. Use one of: ${PROFILES}.`;
    throw invoiceInvalid([{ path: '/e_invoice/profile', rule: 'profile', message }]);
  }
  // Rejected before it is copied to a check process.
  if (Buffer.byteLength(xml) > E_INVOICE_XML_BYTES) {
    throw invoiceInvalid([{ path: POINTER, rule: 'xml-invalid', message: E_INVOICE_XML_TOO_LARGE }]);
  }
  await yieldForLarge(xml);
  return {
    profile,
    format: format === 'pdf' ? 'factur-x' : 'xml',
    xml: Buffer.from(xml),
    pointer: POINTER,
  };
}
