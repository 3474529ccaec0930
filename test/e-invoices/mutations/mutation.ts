import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import type { GroupId, TermId } from '@trifold/platform/e-invoices/invoice.ts';
import { INVOICE, ownerOf } from '@trifold/platform/e-invoices/terms/terms.ts';
import type { PlainGroup, PlainValue } from '../plain-invoice.ts';

/** A change that makes a valid invoice break a rule. */
export interface Mutation {
  /** The rule that the invoice then breaks, perhaps with others. */
  readonly rule: string;
  readonly profile: EInvoiceProfile;
  /** Changes the invoice. Returns whether the invoice has the values that the change needs. */
  readonly apply: (invoice: PlainGroup) => boolean;
}

type Id = TermId | GroupId;
type Content = PlainValue | PlainValue[] | PlainGroup | PlainGroup[];
export type Change = (group: PlainGroup, id: Id) => void;

/** Changes the first occurrence of a term or group, which the invoice must have. */
export function change(rule: string, id: Id, edit: Change, profile: EInvoiceProfile = 'en16931'): Mutation {
  return {
    rule,
    profile,
    apply(invoice) {
      const group = groupWith(invoice, id);
      if (group === undefined || !(id in group)) return false;
      edit(group, id);
      return true;
    },
  };
}

/** The first group that may have a term or group. */
function groupWith(invoice: PlainGroup, id: Id): PlainGroup | undefined {
  const owner = ownerOf(id);
  if (owner === INVOICE) return invoice;
  const parent = groupWith(invoice, owner.id);
  return parent && first(parent, owner.id);
}

export function first(group: PlainGroup, id: string): PlainGroup | undefined {
  return all(group, id)[0];
}

export function all(group: PlainGroup, id: string): PlainGroup[] {
  const content = group[id as 'BG-1'];
  if (content === undefined) return [];
  return Array.isArray(content) ? content : [content];
}

export const remove: Change = (group, id) => {
  delete group[id as 'BT-1'];
};

export const removeAll =
  (...ids: readonly Id[]): Change =>
  (group) => {
    for (const id of ids) remove(group, id);
  };

export const set =
  (content: Content): Change =>
  (group, id) => {
    (group as Record<string, Content>)[id] = content;
  };

/** Sets a different term in the same group. */
export const setBeside =
  (id: Id, content: Content): Change =>
  (group) =>
    set(content)(group, id);

/** Adds to an amount. */
export const plus =
  (amount: number): Change =>
  (group, id) => {
    group[id as 'BT-1'] = (Number(group[id as 'BT-1']) + amount).toFixed(2);
  };

export const withoutScheme: Change = (group, id) => setFirst(group, id, ({ value }) => value);

export const withScheme =
  (scheme: string): Change =>
  (group, id) =>
    setFirst(group, id, ({ value }) => ({ value, scheme }));

function setFirst(group: PlainGroup, id: Id, edit: (entry: { readonly value: string }) => PlainValue): void {
  const content = group[id as 'BT-1']!;
  const [entry] = Array.isArray(content) ? content : [content];
  const edited = edit(typeof entry === 'string' ? { value: entry } : entry!);
  group[id as 'BT-1'] = Array.isArray(content) ? [edited] : edited;
}

/** Whether the buyer is in Germany, as the seller is. */
export function isWithinGermany(invoice: PlainGroup): boolean {
  return first(first(invoice, 'BG-7')!, 'BG-8')?.['BT-55'] === 'DE';
}
