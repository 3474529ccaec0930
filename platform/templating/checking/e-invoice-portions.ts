import { MAX_VIOLATIONS } from '../schema/data-schema.ts';
import type { ExceededLimit } from './check-messages.ts';
import type { CheckedJson } from './checked-json.ts';
import type { CreatedEInvoice, CreatedEInvoices, EInvoiceProblem } from './created-e-invoices.ts';

/** Maximum number of documents whose e-invoices one check creates: a large batch would take too long for one check. */
const PORTION = 10;

/**
 * Creates the e-invoices of documents in portions. The total XML has at most `maxBytes`: small data can become large
 * XML.
 */
export async function createInPortions(
  items: readonly CheckedJson[],
  maxBytes: number,
  create: (portion: readonly CheckedJson[]) => Promise<CreatedEInvoices | ExceededLimit>,
): Promise<CreatedEInvoices | ExceededLimit | { readonly status: 'too_large' }> {
  const eInvoices: CreatedEInvoice[] = [];
  const problems: EInvoiceProblem[] = [];
  let left = maxBytes;
  for (let from = 0; from < items.length && problems.length < MAX_VIOLATIONS; from += PORTION) {
    const created = await create(items.slice(from, from + PORTION));
    if (created.status === 'invoice_invalid') {
      problems.push(...created.problems);
      continue;
    }
    if (created.status !== 'created') return created;
    left -= created.eInvoices.reduce((bytes, { xml }) => bytes + xml.byteLength, 0);
    if (left < 0) return { status: 'too_large' };
    eInvoices.push(...created.eInvoices);
  }
  if (problems.length === 0) return { status: 'created', eInvoices };
  return { status: 'invoice_invalid', problems: problems.slice(0, MAX_VIOLATIONS) };
}
