import type { TermId } from '../invoice.ts';
import type { Group, Term } from './term.ts';

/** The invoice: every business term and group of EN 16931. */
export const INVOICE: Group = {
  id: 'BG-0',
  name: 'invoice',
  isRequired: true,
  isList: false,
  cii: '',
  ubl: '',
  terms: [],
  groups: [],
};

const BY_ID: ReadonlyMap<TermId, Term> = new Map(termsIn(INVOICE).map((term) => [term.id, term]));

function termsIn({ terms, groups }: Group): Term[] {
  return [...terms, ...groups.flatMap(termsIn)];
}

/** Returns number and name, as in `BT-1 invoice number`. */
export function termTitle(id: TermId): string {
  return `${id} ${BY_ID.get(id)?.name ?? ''}`.trimEnd();
}
