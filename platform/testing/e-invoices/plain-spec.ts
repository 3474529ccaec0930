import type { EInvoiceSpec } from '../../e-invoices/e-invoice-spec.ts';
import { PLAIN_MAPPING } from './plain-mapping.ts';

const { 'BG-6 seller contact': _contact, ...basicSeller } = PLAIN_MAPPING['BG-4 seller'];

/** The plain mapping without the terms that the profile `basic` excludes. */
const BASIC_MAPPING = { ...PLAIN_MAPPING, 'BG-4 seller': basicSeller };

/** Returns a template's e-invoice with the plain mapping, and `changes` to it. */
export function plainSpec(
  profile: EInvoiceSpec['profile'],
  syntax: EInvoiceSpec['syntax'],
  changes: Readonly<Record<string, unknown>> = {},
): EInvoiceSpec {
  const mapping = profile === 'basic' ? BASIC_MAPPING : PLAIN_MAPPING;
  return { format: 'xml', profile, syntax, mapping: { ...mapping, ...changes } };
}
