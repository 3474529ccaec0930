import { VAT_CATEGORIES } from '@trifold/platform/e-invoices/rules/vat-categories.ts';
import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import type { PlainGroup } from '../plain-invoice.ts';
import { all, first, plus, remove, removeAll, type Mutation } from './mutation.ts';

/** Applies a change to invoices that have a VAT category in lines, allowances and charges. */
export function withCategory(
  rule: string,
  code: string,
  edit: (invoice: PlainGroup) => void,
  profile: EInvoiceProfile = 'en16931',
): Mutation {
  return {
    rule,
    profile,
    apply(invoice) {
      const codes = [
        all(invoice, 'BG-25').some((line) => first(line, 'BG-30')?.['BT-151'] === code),
        all(invoice, 'BG-20').some((allowance) => allowance['BT-95'] === code),
        all(invoice, 'BG-21').some((charge) => charge['BT-102'] === code),
      ];
      if (!codes.every(Boolean)) return false;
      edit(invoice);
      return true;
    },
  };
}

/** One mutation for each rule of each VAT category. */
const EACH: readonly Mutation[] = VAT_CATEGORIES.flatMap(({ code, prefix, rate, exemption }) => {
  const badRate = rate.endsWith('positive') ? '-1' : '5';
  const of = (group: 'BG-20' | 'BG-21' | 'BG-23', term: `BT-${number}`) => (invoice: PlainGroup) =>
    all(invoice, group).filter((entry) => entry[term] === code);
  const breakdowns = of('BG-23', 'BT-118');
  const mutation = (number: string, edit: (invoice: PlainGroup) => void) =>
    withCategory(`BR-${prefix}-${number}`, code, edit);
  const withoutNumbers = (invoice: PlainGroup) => {
    const seller = first(invoice, 'BG-4')!;
    removeAll('BT-31', 'BT-32')(seller, 'BT-31');
    remove(invoice, 'BG-11');
    if (code === 'O') seller['BT-31'] = 'DE123456789';
  };
  return [
    mutation('01', (invoice) => {
      for (const entry of breakdowns(invoice)) entry['BT-118'] = code === 'Z' ? 'E' : 'Z';
    }),
    ...['02', '03', '04'].map((number) => mutation(number, withoutNumbers)),
    mutation('05', (invoice) => {
      const vat = all(invoice, 'BG-25').map((line) => first(line, 'BG-30')!);
      for (const entry of vat.filter((own) => own['BT-151'] === code)) entry['BT-152'] = badRate;
    }),
    mutation('06', (invoice) => {
      for (const entry of of('BG-20', 'BT-95')(invoice)) entry['BT-96'] = badRate;
    }),
    mutation('07', (invoice) => {
      for (const entry of of('BG-21', 'BT-102')(invoice)) entry['BT-103'] = badRate;
    }),
    mutation('08', (invoice) => {
      for (const entry of breakdowns(invoice)) plus(3)(entry, 'BT-116');
    }),
    mutation('09', (invoice) => {
      for (const entry of breakdowns(invoice)) plus(5)(entry, 'BT-117');
    }),
    mutation('10', (invoice) => {
      for (const entry of breakdowns(invoice)) {
        removeAll('BT-120', 'BT-121')(entry, 'BT-120');
        if (exemption === 'forbidden') entry['BT-120'] = 'No reason';
      }
    }),
  ];
});

const SPECIAL: readonly Mutation[] = [
  withCategory('BR-IC-02', 'K', (invoice) => remove(first(invoice, 'BG-7')!, 'BT-48')),
  withCategory('BR-AE-02', 'AE', (invoice) => remove(first(invoice, 'BG-7')!, 'BT-47')),
  withCategory('BR-IC-11', 'K', (invoice) => {
    removeAll('BT-72', 'BG-14')(first(invoice, 'BG-13')!, 'BT-72');
  }),
  withCategory('BR-IC-12', 'K', (invoice) => remove(first(invoice, 'BG-13')!, 'BG-15')),
  withCategory('BR-O-11', 'O', (invoice) => {
    (invoice['BG-23'] as PlainGroup[]).push({
      'BT-116': '0.00',
      'BT-117': '0.00',
      'BT-118': 'Z',
      'BT-119': '0',
    });
  }),
  withCategory('BR-O-12', 'O', (invoice) => {
    first(first(invoice, 'BG-25')!, 'BG-30')!['BT-151'] = 'Z';
  }),
  withCategory('BR-O-13', 'O', (invoice) => {
    first(invoice, 'BG-20')!['BT-95'] = 'Z';
  }),
  withCategory('BR-O-14', 'O', (invoice) => {
    first(invoice, 'BG-21')!['BT-102'] = 'Z';
  }),
];

export const CATEGORY_MUTATIONS: readonly Mutation[] = [...EACH, ...SPECIAL];
