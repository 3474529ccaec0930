import type { InvoiceGroup, InvoiceValue } from '../../e-invoices/invoice.ts';
import { codesOf } from '../../e-invoices/code-lists/code-lists.ts';
import type { Group, Term } from '../../e-invoices/terms/term.ts';
import { INVOICE } from '../../e-invoices/terms/terms.ts';

/** Returns an invoice with a value for every term, and two if it may repeat. It breaks business rules. */
export function invoiceWithEveryTerm(typeCode: string): InvoiceGroup {
  const values: Readonly<Record<string, string>> = {
    'BT-3': typeCode,
    'BT-5': 'EUR',
    'BT-6': 'SEK',
    'BT-91': 'DE02120300000000202051',
  };
  return everyTerm(INVOICE, values);
}

function everyTerm(group: Group, values: Readonly<Record<string, string>>): InvoiceGroup {
  const times = (entry: Term | Group): number[] => (entry.isList ? [1, 2] : [1]);
  return {
    id: group.id,
    terms: Object.fromEntries(
      group.terms.map((term) => [term.id, times(term).map((index) => valueOf(term, index, values))]),
    ),
    groups: Object.fromEntries(
      group.groups.map((child) => [child.id, times(child).map(() => everyTerm(child, values))]),
    ),
  };
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
