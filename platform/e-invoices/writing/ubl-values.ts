import {
  groupsOf,
  valueOf,
  type Invoice,
  type InvoiceGroup,
  type InvoiceValue,
  type TermId,
} from '../invoice.ts';

/** Adds values that UBL requires but EN 16931 does not, and moves values that UBL has no element for. */
export function withUblValues(invoice: Invoice): Invoice {
  // UBL puts the sales order in the purchase order, whose number it requires.
  const root = valueOf(invoice, 'BT-14') ? withDefault(invoice, 'BT-13', 'NA') : invoice;
  const notes = groupsOf(root, 'BG-1').map(withSubject);
  const lines = groupsOf(root, 'BG-25').map(withDiscount);
  return {
    ...root,
    groups: { ...root.groups, ...(notes.length > 0 && { 'BG-1': notes }), 'BG-25': lines },
  };
}

/** EN 16931 notation for a note's subject: `#AAI#text`. */
function withSubject(note: InvoiceGroup): InvoiceGroup {
  const subject = valueOf(note, 'BT-21');
  const text = valueOf(note, 'BT-22');
  if (!subject || !text) return note;
  const value: InvoiceValue = { ...text, value: `#${subject.value}#${text.value}` };
  return { ...note, terms: { 'BT-22': [value] } };
}

/** UBL puts the gross price in the discount, whose amount it requires. */
function withDiscount(line: InvoiceGroup): InvoiceGroup {
  const prices = groupsOf(line, 'BG-29').map((price) =>
    valueOf(price, 'BT-148') ? withDefault(price, 'BT-147', '0') : price,
  );
  return { ...line, groups: { ...line.groups, 'BG-29': prices } };
}

function withDefault(group: InvoiceGroup, id: TermId, value: string): InvoiceGroup {
  return valueOf(group, id) ? group : { ...group, terms: { ...group.terms, [id]: [{ value }] } };
}
