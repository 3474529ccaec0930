import type { PlainGroup } from '../plain-invoice.ts';
import { withCategory } from './category-mutations.ts';
import { all, change, first, isWithinGermany, remove, removeAll, set, type Mutation } from './mutation.ts';

/** Peppol rules, some of which XRechnung also has. */
export const PEPPOL_MUTATIONS: readonly Mutation[] = [
  change('PEPPOL-EN16931-R010', 'BT-49', remove, 'xrechnung'),
  change('PEPPOL-EN16931-R020', 'BT-34', remove, 'xrechnung'),
  ...(
    [
      ['PEPPOL-EN16931-R003', 'BT-10', removeAll('BT-10', 'BT-13', 'BT-14')],
      ['PEPPOL-EN16931-R005', 'BT-6', set('EUR')],
      ['PEPPOL-EN16931-R007', 'BT-23', set('urn:other')],
      ['PEPPOL-EN16931-R010', 'BT-49', remove],
      ['PEPPOL-EN16931-R040', 'BT-94', set('11')],
      ['PEPPOL-EN16931-R040', 'BT-101', set('9.5')],
      ['PEPPOL-EN16931-R040', 'BT-138', set('12')],
      ['PEPPOL-EN16931-R040', 'BT-143', set('15')],
      ['PEPPOL-EN16931-R041', 'BT-93', remove],
      ['PEPPOL-EN16931-R042', 'BT-101', remove],
      ['PEPPOL-EN16931-R046', 'BT-148', set('0.01')],
      ['PEPPOL-EN16931-R061', 'BT-89', remove],
      ['PEPPOL-EN16931-R110', 'BT-73', set('2026-11-03')],
      ['PEPPOL-EN16931-R111', 'BT-74', set('2026-11-26')],
      ['PEPPOL-EN16931-R120', 'BT-129', set('77777')],
      ['PEPPOL-EN16931-R121', 'BT-149', set('0')],
      ['PEPPOL-EN16931-R130', 'BT-150', set('DAY')],
      ['PEPPOL-EN16931-P0100', 'BT-3', set('471')],
      ['PEPPOL-COMMON-R040', 'BT-29', set([{ value: '7300010000002', scheme: '0088' }])],
      ['PEPPOL-COMMON-R041', 'BT-46', set({ value: '123456789', scheme: '0192' })],
      ['PEPPOL-COMMON-R042', 'BT-49', set({ value: '1234', scheme: '0184' })],
      ['PEPPOL-COMMON-R043', 'BT-49', set({ value: '0123456789', scheme: '0208' })],
      ['PEPPOL-COMMON-R049', 'BT-47', set({ value: '5560360794', scheme: '0007' })],
      ['PEPPOL-COMMON-R050', 'BT-34', set({ value: '51824753557', scheme: '0151' })],
      ['PEPPOL-COMMON-R052', 'BT-34', set({ value: '12', scheme: '0096' })],
      ['PEPPOL-COMMON-R053', 'BT-34', set({ value: '12345678', scheme: '0198' })],
      ['PEPPOL-EN16931-CL008', 'BT-34', set({ value: 'a@example.com', scheme: 'EM' })],
    ] as const
  ).map(([rule, id, edit]) => change(rule, id, edit, 'peppol-bis-3')),
  abroad('PEPPOL-EN16931-R002', (invoice) => {
    invoice['BG-1'] = [{ 'BT-22': 'One' }, { 'BT-22': 'Two' }];
  }),
  abroad('PEPPOL-EN16931-P0112', (invoice) => {
    invoice['BT-3'] = '384';
  }),
  {
    rule: 'PEPPOL-EN16931-R055',
    profile: 'peppol-bis-3',
    apply(invoice) {
      const totals = first(invoice, 'BG-22')!;
      if (!('BT-111' in totals) || Number(totals['BT-110']) === 0) return false;
      totals['BT-111'] = Number(totals['BT-110']) > 0 ? '-1.00' : '1.00';
      return true;
    },
  },
  ...(
    [
      ['P0104', 'VATEX-EU-G'],
      ['P0105', 'VATEX-EU-O'],
      ['P0106', 'VATEX-EU-IC'],
      ['P0107', 'VATEX-EU-AE'],
      ['P0108', 'VATEX-EU-D'],
      ['P0109', 'VATEX-EU-F'],
      ['P0110', 'VATEX-EU-I'],
      ['P0111', 'VATEX-EU-J'],
    ] as const
  ).map(([rule, code]) =>
    withCategory(
      `PEPPOL-EN16931-${rule}`,
      code === 'VATEX-EU-AE' ? 'K' : 'AE',
      (invoice) => {
        for (const breakdown of all(invoice, 'BG-23')) breakdown['BT-121'] = code;
      },
      'peppol-bis-3',
    ),
  ),
];

/** Applies a change to invoices with a foreign buyer, which only the categories K and G have. */
function abroad(rule: string, edit: (invoice: PlainGroup) => void): Mutation {
  return {
    rule,
    profile: 'peppol-bis-3',
    apply(invoice) {
      if (isWithinGermany(invoice)) return false;
      edit(invoice);
      return true;
    },
  };
}
