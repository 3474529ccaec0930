import { groupsOf, type Invoice, type InvoiceGroup } from '../invoice.ts';

/** Repeats the payment instructions for each account: both syntaxes have one account in an element, and one BT-82. */
export function oneAccountEach(invoice: Invoice): Invoice {
  const payments = groupsOf(invoice, 'BG-16').flatMap(split);
  if (payments.length === 0) return invoice;
  return { ...invoice, groups: { ...invoice.groups, 'BG-16': payments } };
}

function split(payment: InvoiceGroup): InvoiceGroup[] {
  const accounts = groupsOf(payment, 'BG-17');
  if (accounts.length < 2) return [payment];
  return accounts.map((account, index) => ({
    ...payment,
    terms: index === 0 ? payment.terms : { ...payment.terms, 'BT-82': [] },
    groups: { ...payment.groups, 'BG-17': [account] },
  }));
}
