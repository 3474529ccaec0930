import type { GroupId, TermId } from '../invoice.ts';
import { AMOUNT_GROUPS } from './amount-terms.ts';
import { DOCUMENT_TERMS } from './document-terms.ts';
import { LINE_GROUP } from './line-terms.ts';
import { PARTY_GROUPS } from './party-terms.ts';
import { PAYMENT_GROUP } from './payment-terms.ts';
import { group, REQUIRED, type Group, type Term } from './term.ts';

/** Every business term and group of EN 16931-1:2017, except for attached files (BT-125). */
export const INVOICE: Group = group(
  'BG-0 invoice',
  { cii: '', ubl: '' },
  [...DOCUMENT_TERMS, ...PARTY_GROUPS, PAYMENT_GROUP, ...AMOUNT_GROUPS, LINE_GROUP],
  REQUIRED,
);

const ALL_GROUPS: readonly Group[] = groupsIn(INVOICE);

const BY_ID: ReadonlyMap<string, Term | Group> = new Map(
  ALL_GROUPS.flatMap((group) => [group, ...group.terms]).map((entry) => [entry.id, entry]),
);

function groupsIn(parent: Group): Group[] {
  return [parent, ...parent.groups.flatMap(groupsIn)];
}

/** Returns the term or group with this number; undefined for BT-125 and for a number that EN 16931 does not use. */
export function termOrGroup(id: string): Term | Group | undefined {
  return BY_ID.get(id);
}

const OWNERS: ReadonlyMap<string, Group> = new Map(
  ALL_GROUPS.flatMap((parent) => [...parent.terms, ...parent.groups].map(({ id }) => [id, parent] as const)),
);

/** Returns the group that directly contains a term or group. */
export function ownerOf(id: TermId | GroupId): Group {
  return OWNERS.get(id) ?? INVOICE;
}

/** Returns the number and name, as in `BT-1 invoice number`. */
export function termTitle(id: TermId | GroupId): string {
  return `${id} ${BY_ID.get(id)?.name ?? ''}`.trimEnd();
}
