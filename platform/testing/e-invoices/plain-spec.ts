import type { EInvoiceSpec } from '../../e-invoices/e-invoice-spec.ts';
import { PLAIN_MAPPING } from './plain-mapping.ts';

const { 'BG-6 seller contact': _contact, ...basicSeller } = PLAIN_MAPPING['BG-4 seller'];

/** The plain mapping without what the profile `basic` does not have. */
const BASIC_MAPPING = { ...PLAIN_MAPPING, 'BG-4 seller': basicSeller };

/** Returns the e-invoice of a template with the plain mapping, and `changes` of the mapping. */
export function plainSpec(
  profile: EInvoiceSpec['profile'],
  syntax: EInvoiceSpec['syntax'],
  changes: Readonly<Record<string, unknown>> = {},
): EInvoiceSpec {
  const mapping = profile === 'basic' ? BASIC_MAPPING : PLAIN_MAPPING;
  return { format: 'xml', profile, syntax, mapping: { ...mapping, ...changes } };
}
