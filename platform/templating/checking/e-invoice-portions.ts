import { RawJson } from '../../request-body/raw-json.ts';
import { MAX_VIOLATIONS } from '../schema/data-schema.ts';
import type { DataLimits } from './apply-schema.ts';
import type { CheckedDocuments, EInvoiceProblem } from './created-e-invoices.ts';

/** Maximum number of documents whose e-invoices one check creates. */
export const PORTION = 10;

/** Documents of a request, and the limits for their data. */
interface Documents {
  readonly items: readonly { readonly pointer: string }[];
  readonly limits: DataLimits;
}

interface Item {
  readonly data: RawJson;
  readonly pointer: string;
}

/**
 * Creates the e-invoices of documents from their valid data as JSON, in portions. The total XML is limited like the
 * data.
 */
export async function createInPortions<Failure extends { readonly status: string }>(
  json: readonly Uint8Array[],
  { items, limits }: Documents,
  create: (portion: readonly Item[]) => Promise<CheckedDocuments | Failure>,
): Promise<CheckedDocuments | Failure> {
  const all = json.map((data, index) => ({
    data: new RawJson(data, false),
    pointer: items[index]?.pointer ?? '',
  }));
  const xml: Uint8Array[] = [];
  const problems: EInvoiceProblem[] = [];
  let left = limits.together;
  for (let from = 0; from < all.length && problems.length < MAX_VIOLATIONS; from += PORTION) {
    const created = await create(all.slice(from, from + PORTION));
    if ('problems' in created) {
      problems.push(...created.problems);
      continue;
    }
    if (!('json' in created)) return created;
    const portion = created.xml ?? [];
    left -= portion.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
    if (left < 0) return { status: 'too_large' };
    xml.push(...portion);
  }
  if (problems.length > 0) return { status: 'invoice_invalid', problems: problems.slice(0, MAX_VIOLATIONS) };
  return { status: 'valid', json, xml };
}
