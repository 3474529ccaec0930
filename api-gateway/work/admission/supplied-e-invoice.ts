import type { DocumentFormat } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { CII_PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { yieldForLarge } from '@trifold/platform/request-body/yield-for-large.ts';
import type { SuppliedEInvoice } from '@trifold/platform/templating/checking/supplied-e-invoice.ts';
import { Type, type Static } from 'typebox';
import { ApiError } from '../../server/errors/api-error.ts';

const MAX_MIB = BOUNDS.eInvoices.limit.value / 1024;
const PROFILES = CII_PROFILES.join(', ');

/** The `e_invoice` field of a request. */
export const RequestEInvoice = Type.Object(
  {
    // Not an enum: the response for another profile is 422, as for other invoices that cannot be checked.
    profile: Type.String({
      maxLength: 100,
      description: `Rules that the invoice must follow. One of: ${CII_PROFILES.map((name) => `\`${name}\``).join(', ')}. Its specification identifier (BT-24) must be that of the profile.`,
    }),
    xml: Type.String({
      minLength: 1,
      description: `The invoice as UN/CEFACT Cross Industry Invoice (CII, D16B) in UTF-8. Up to ${MAX_MIB} MiB, without a document type. The document contains these bytes.`,
    }),
  },
  {
    additionalProperties: false,
    title: 'RequestEInvoice',
    description:
      "An e-invoice that you wrote, for a PDF or for the format xml. It is checked like one that Trifold creates, and replaces the template's `e_invoice` for this document.",
  },
);
type RequestEInvoice = Static<typeof RequestEInvoice>;

/**
 * Returns the request's e-invoice, not yet checked. Rejects with ApiError `invalid_request` if the format cannot
 * contain it, or `invoice_invalid`.
 */
export async function readEInvoice(
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
    const detail = { path: '/e_invoice/profile', rule: 'profile', message };
    throw new ApiError('invoice_invalid', `The e-invoice is invalid: ${message}`, { details: [detail] });
  }
  await yieldForLarge(xml);
  return {
    profile,
    format: format === 'pdf' ? 'factur-x' : 'xml',
    xml: Buffer.from(xml),
    pointer: '/e_invoice/xml',
  };
}
