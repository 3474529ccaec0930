import type { EInvoice } from '@trifold/crds';
import { eInvoiceCreator, type InvoiceProblem } from '../../e-invoices/create-e-invoice.ts';
import type { DeclaredInvoice } from '../../e-invoices/declared-invoice.ts';
import type { LocaleOptions } from '../locale-options.ts';
import { MAX_VIOLATIONS } from '../schema/data-schema.ts';
import type { CheckedJson } from './checked-json.ts';

/** How to create e-invoices. */
export interface EInvoiceRequest extends LocaleOptions {
  readonly spec: EInvoice;
  /** Whether the invoices contain the note TEST. */
  readonly test: boolean;
}

/** An e-invoice problem. `path` points to the value in the request, or to the document's data. */
export type EInvoiceProblem = InvoiceProblem & { readonly path: string };

/** A document's e-invoice. */
export interface CreatedEInvoice {
  readonly xml: Uint8Array;
  /** Values that the page must show. @default none */
  readonly declared?: DeclaredInvoice;
}

/** Each document's e-invoice, or at least one problem; at most MAX_VIOLATIONS for all documents together. */
export type CreatedEInvoices =
  | { readonly status: 'created'; readonly eInvoices: readonly CreatedEInvoice[] }
  | { readonly status: 'invoice_invalid'; readonly problems: readonly EInvoiceProblem[] };

/** Creates an e-invoice from the valid data of each document, in a check process. */
export function createEInvoices(
  items: readonly CheckedJson[],
  { spec, ...context }: EInvoiceRequest,
): CreatedEInvoices {
  const problems: EInvoiceProblem[] = [];
  const eInvoices: CreatedEInvoice[] = [];
  const create = eInvoiceCreator(spec, context);
  for (const { json, pointer } of items) {
    const created = create(JSON.parse(new TextDecoder().decode(json)));
    if ('xml' in created) {
      eInvoices.push({ ...created, xml: Buffer.from(created.xml) });
      continue;
    }
    problems.push(
      ...created.problems.map((problem) => ({ ...problem, path: pointer + (problem.path ?? '') })),
    );
    if (problems.length >= MAX_VIOLATIONS) break;
  }
  if (problems.length === 0) return { status: 'created', eInvoices };
  return { status: 'invoice_invalid', problems: problems.slice(0, MAX_VIOLATIONS) };
}
