import { peppolName } from '@trifold/platform/e-invoices/rules/german-rules.ts';
import { change, isWithinGermany, remove, removeAll, set, setBeside, type Mutation } from './mutation.ts';

const ACCOUNT = [{ 'BT-84': 'DE02120300000000202051' }];
const CARD = { 'BT-87': '1234' };

const XRECHNUNG: readonly Mutation[] = [
  ...(
    [
      ['BR-DE-1', 'BG-16'],
      ['BR-DE-2', 'BG-6'],
      ['BR-DE-3', 'BT-37'],
      ['BR-DE-4', 'BT-38'],
      ['BR-DE-5', 'BT-41'],
      ['BR-DE-6', 'BT-42'],
      ['BR-DE-7', 'BT-43'],
      ['BR-DE-8', 'BT-52'],
      ['BR-DE-9', 'BT-53'],
      ['BR-DE-10', 'BT-77'],
      ['BR-DE-11', 'BT-78'],
      ['BR-DE-14', 'BT-119'],
      ['BR-DE-15', 'BT-10'],
      ['BR-DE-23-a', 'BG-17'],
      ['BR-DE-24-a', 'BG-18'],
      ['BR-DE-25-a', 'BG-19'],
      ['BR-DE-30', 'BT-90'],
      ['BR-DE-31', 'BT-91'],
    ] as const
  ).map(([rule, id]) => change(rule, id, remove, 'xrechnung')),
  change('BR-DE-16', 'BT-31', removeAll('BT-31', 'BT-32'), 'xrechnung'),
  change('BR-DE-18', 'BT-20', set('#SKONTO#TAGE=14#PROZENT=2#\n30 days'), 'xrechnung'),
  change('BR-DE-23-b', 'BG-17', setBeside('BG-18', CARD), 'xrechnung'),
  change('BR-DE-24-b', 'BG-18', setBeside('BG-17', ACCOUNT), 'xrechnung'),
  change('BR-DE-25-b', 'BG-19', setBeside('BG-18', CARD), 'xrechnung'),
];

/** Peppol has the same rules for invoices within Germany. */
export const GERMAN_MUTATIONS: readonly Mutation[] = XRECHNUNG.flatMap((mutation) => [
  mutation,
  {
    rule: peppolName(mutation.rule),
    profile: 'peppol-bis-3',
    apply: (invoice) => isWithinGermany(invoice) && mutation.apply(invoice),
  },
]);
