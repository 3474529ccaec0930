import { eInvoiceCreator } from '@trifold/platform/e-invoices/create-e-invoice.ts';
import type { EInvoiceProfile, EInvoiceSyntax } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { generatedInvoice } from './generated-invoices.ts';
import { mappingOf } from './mapping-of.ts';
import type { PlainGroup } from './plain-invoice.ts';

/** Creates a generated invoice's XML from a mapping, as the service does. Every other one is a test. */
export function createdInvoice(
  number: number,
  { profile, syntax }: { readonly profile: EInvoiceProfile; readonly syntax: EInvoiceSyntax },
  changes: PlainGroup = {},
): string {
  const data = { ...generatedInvoice(number, profile), ...changes };
  const spec = { format: 'xml', profile, syntax, mapping: mappingOf(data) } as const;
  const result = eInvoiceCreator(spec, { test: number % 2 === 0, locale: 'de-DE' })(data);
  if ('xml' in result) return result.xml;
  throw new Error(`${number} ${profile}: ${JSON.stringify(result.problems)}`);
}
