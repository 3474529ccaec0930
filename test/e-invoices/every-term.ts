import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import type { InvoiceGroup, InvoiceValue } from '@trifold/platform/e-invoices/invoice.ts';
import { codesOf } from '@trifold/platform/e-invoices/code-lists/code-lists.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import type { Group, Term } from '@trifold/platform/e-invoices/terms/term.ts';
import { INVOICE } from '@trifold/platform/e-invoices/terms/terms.ts';

/** Returns an invoice with a value for every term of a profile, and two if it may repeat. It breaks business rules. */
export function invoiceWithEveryTerm(profile: EInvoiceProfile, typeCode: string): InvoiceGroup {
  const { specification, excluded } = PROFILES[profile];
  const values: Readonly<Record<string, string>> = {
    'BT-3': typeCode,
    'BT-5': 'EUR',
    'BT-6': 'SEK',
    'BT-24': specification,
    'BT-91': 'DE02120300000000202051',
  };
  return everyTerm(INVOICE);

  function everyTerm({ id, terms, groups }: Group): InvoiceGroup {
    const isIncluded = (entry: Term | Group) => !excluded.includes(entry.id);
    const times = (entry: Term | Group): number[] => (entry.isList ? [1, 2] : [1]);
    return {
      id,
      terms: Object.fromEntries(
        terms
          .filter(isIncluded)
          .map((term) => [term.id, times(term).map((index) => valueOf(term, index, values))]),
      ),
      groups: Object.fromEntries(
        groups.filter(isIncluded).map((child) => [child.id, times(child).map(() => everyTerm(child))]),
      ),
    };
  }
}

function valueOf(term: Term, index: number, values: Readonly<Record<string, string>>): InvoiceValue {
  const { id, scheme } = term;
  const value = values[id] ?? valueOfType(term, index);
  if (!scheme) return { value };
  return { value, scheme: firstOf(scheme.codes), ...(id === 'BT-158' && { version: '19.0' }) };
}

function valueOfType({ id, type, codes }: Term, index: number): string {
  const number = Number(id.slice(3));
  if (type === 'date') return `2026-01-${String((number % 28) + 1).padStart(2, '0')}`;
  if (type === 'code') return firstOf(codes);
  if (type === 'identifier' || type === 'text') return `${id} ${index} <&> "Größe"`;
  return `${number}.${index}5`;
}

function firstOf(codes: Term['codes']): string {
  return codes === undefined ? 'X' : ([...codesOf(codes)][0] ?? 'X');
}
