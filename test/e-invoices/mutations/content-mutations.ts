import { change, plus, remove, removeAll, set, setBeside, type Mutation } from './mutation.ts';

const REMOVED: readonly Mutation[] = (
  [
    ['BR-33', 'BT-97'],
    ['BR-38', 'BT-104'],
    ['BR-42', 'BT-139'],
    ['BR-44', 'BT-144'],
    ['BR-48', 'BT-119'],
    ['BR-53', 'BT-111'],
    ['BR-53', 'BT-6'],
    ['BR-61', 'BG-17'],
    ['BR-CO-11', 'BT-107'],
    ['BR-CO-12', 'BT-108'],
    ['term-missing', 'BT-22'],
  ] as const
).map(([rule, id]) => change(rule, id, remove));

const SUMS: readonly Mutation[] = (
  [
    ['BR-CO-10', 'BT-106'],
    ['BR-CO-11', 'BT-107'],
    ['BR-CO-12', 'BT-108'],
    ['BR-CO-13', 'BT-109'],
    ['BR-CO-14', 'BT-110'],
    ['BR-CO-15', 'BT-112'],
    ['BR-CO-16', 'BT-115'],
    ['BR-CO-16', 'BT-113'],
    ['BR-CO-16', 'BT-114'],
    ['BR-CO-10', 'BT-131'],
    ['BR-CO-11', 'BT-92'],
    ['BR-CO-12', 'BT-99'],
  ] as const
).map(([rule, id]) => change(rule, id, plus(7)));

/** Requirements that one term imposes on another. */
export const CONTENT_MUTATIONS: readonly Mutation[] = [
  ...REMOVED,
  ...SUMS,
  change('BR-17', 'BT-59', set('Lieferant GmbH')),
  change('BR-27', 'BT-146', set('-1.00')),
  change('BR-28', 'BT-148', set('-1.00')),
  change('BR-29', 'BT-74', set('2026-10-31')),
  change('BR-30', 'BT-135', set('2026-11-01')),
  change('BR-51', 'BT-87', set('4111111111111111')),
  change('BR-53', 'BT-6', set('EUR')),
  change('BR-CO-25', 'BT-9', removeAll('BT-9', 'BT-20'), 'basic'),
  change('BR-CO-03', 'BT-7', setBeside('BT-8', '35')),
  change('BR-CO-09', 'BT-31', set('123456789')),
  change('BR-CO-09', 'BT-48', set('XX123456789')),
  change('BR-CO-09', 'BT-63', set('00111111125')),
  change('BR-CO-26', 'BT-30', removeAll('BT-29', 'BT-30', 'BT-31')),
];
