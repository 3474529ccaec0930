import type { EInvoiceProfile } from '../e-invoice-spec.ts';
import { groupOf, groupsOf, valueOf, type Invoice, type InvoiceGroup } from '../invoice.ts';
import { PROFILES } from '../profiles.ts';

const TEST = 'TEST';

/** Adds the values that the profile determines (BG-2), and the note `TEST` if the invoice is a test. */
export function withContext(invoice: Invoice, profile: EInvoiceProfile, isTest: boolean): Invoice {
  const mapped = groupsOf(invoice, 'BG-1');
  const notes = isTest ? testNotes(mapped, profile) : mapped;
  const control = processControl(groupOf(invoice, 'BG-2'), profile);
  return {
    ...invoice,
    terms: { ...invoice.terms, ...paymentTerms(invoice) },
    groups: { ...invoice.groups, 'BG-2': [control], ...(notes.length > 0 && { 'BG-1': notes }) },
  };
}

/** XRechnung requires a line break after a discount for early payment, such as `#SKONTO#…#` (BR-DE-18). */
function paymentTerms(invoice: Invoice): Invoice['terms'] {
  const terms = valueOf(invoice, 'BT-20');
  const lastLine = terms?.value.slice(terms.value.lastIndexOf('\n') + 1) ?? '';
  if (!terms || !lastLine.trimStart().startsWith('#SKONTO#')) return {};
  return { 'BT-20': [{ ...terms, value: `${terms.value}\n` }] };
}

/** Peppol allows only one note (PEPPOL-EN16931-R002). */
function testNotes(notes: readonly InvoiceGroup[], profile: EInvoiceProfile): readonly InvoiceGroup[] {
  const [first, ...others] = notes;
  const text = first && valueOf(first, 'BT-22');
  if (profile !== 'peppol-bis-3' || !text) return [note(TEST), ...notes];
  return [{ ...first, ...note(`${TEST}: ${text.value}`) }, ...others];
}

function note(value: string): InvoiceGroup {
  return { id: 'BG-1', terms: { 'BT-22': [{ value }] }, groups: {} };
}

function processControl(mapped: InvoiceGroup | undefined, profile: EInvoiceProfile): InvoiceGroup {
  const { specification, businessProcess } = PROFILES[profile];
  const process = (mapped && valueOf(mapped, 'BT-23'))?.value ?? businessProcess;
  return {
    id: 'BG-2',
    terms: {
      ...(process !== undefined && { 'BT-23': [{ value: process }] }),
      'BT-24': [{ value: specification }],
    },
    groups: {},
  };
}
