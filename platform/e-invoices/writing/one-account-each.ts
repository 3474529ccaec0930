import { groupsOf, type Invoice, type InvoiceGroup } from '../invoice.ts';

/**
 * Repeats the payment instructions for each account: both syntaxes allow one account per element. Text, card and
 * direct debit may occur only once.
 */
export function oneAccountEach(invoice: Invoice): Invoice {
  const payments = groupsOf(invoice, 'BG-16').flatMap(split);
  if (payments.length === 0) return invoice;
  return { ...invoice, groups: { ...invoice.groups, 'BG-16': payments } };
}

function split(payment: InvoiceGroup): InvoiceGroup[] {
  const accounts = groupsOf(payment, 'BG-17');
  if (accounts.length < 2) return [payment];
  const { 'BT-82': _text, ...repeated } = payment.terms;
  return accounts.map((account, index) =>
    index === 0
      ? { ...payment, groups: { ...payment.groups, 'BG-17': [account] } }
      : { ...payment, terms: repeated, groups: { 'BG-17': [account] } },
  );
}
