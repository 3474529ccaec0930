import type { EInvoice } from '@trifold/crds';
import { eInvoiceCreator, type InvoiceProblem } from '../../e-invoices/create-e-invoice.ts';
import type { LocaleOptions } from '../locale-options.ts';
import { MAX_VIOLATIONS } from '../schema/data-schema.ts';
import type { AppliedSchema, DataItem, DataLimits } from './apply-schema.ts';

/** How to create e-invoices. */
export interface EInvoiceRequest extends LocaleOptions {
  readonly spec: EInvoice;
  /** Whether the invoices contain the note TEST. */
  readonly test: boolean;
}

/** An e-invoice problem. `path` points to the value in the request, or to the document's data. */
export type EInvoiceProblem = InvoiceProblem & { readonly path: string };

/** Result of checking documents' data and their e-invoices. */
export type CheckedDocuments =
  | Exclude<AppliedSchema, { readonly status: 'valid' }>
  | (Extract<AppliedSchema, { readonly status: 'valid' }> & {
      /** XML of each document's e-invoice, if the check creates them. */
      readonly xml?: readonly Uint8Array[];
    })
  /** At least one problem; at most MAX_VIOLATIONS for all documents together. */
  | { readonly status: 'invoice_invalid'; readonly problems: readonly EInvoiceProblem[] };

/**
 * Creates an e-invoice from the data of each document, which has its schema's defaults. The total XML is limited
 * like a request's data: small data can become large XML.
 */
export function withEInvoices(
  applied: AppliedSchema,
  { spec, ...context }: EInvoiceRequest,
  items: readonly DataItem[],
  { together }: DataLimits,
): CheckedDocuments {
  if (applied.status !== 'valid') return applied;
  const problems: EInvoiceProblem[] = [];
  const xml: Buffer[] = [];
  let left = together;
  const create = eInvoiceCreator(spec, context);
  for (const { data, pointer } of items) {
    const created = create(data);
    if ('problems' in created) {
      problems.push(
        ...created.problems.map((problem) => ({ ...problem, path: pointer + (problem.path ?? '') })),
      );
      if (problems.length >= MAX_VIOLATIONS) break;
      continue;
    }
    const bytes = Buffer.from(created.xml);
    left -= bytes.byteLength;
    if (left < 0) return { status: 'too_large' };
    xml.push(bytes);
  }
  if (problems.length > 0) return { status: 'invoice_invalid', problems: problems.slice(0, MAX_VIOLATIONS) };
  return { ...applied, xml };
}
